"""Texts with a class for models whose tokenizers cut words into pieces of their own.

datasets/CLASS holds the files that a dataset of the kit fetches, models/NAME a tiny model under the
name that scripts ask for. entities/ holds a list of texts with a marked word and its classes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

from .language_models import LANGUAGES, words_of_class, write_model

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CLASSES = ("sport", "trade")
ENTAILMENT = ("neutral", "entailment", "contradictory")
NAMED = {
    "t5-small": "t5",
    "bigbird-base-uncased": "bigbird",
    "luke-base": "luke",
    "xlm": "xlm",
}


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` texts of half to all of `size` words; words of one half of the list mark a class."""
    random = seeded(seed)
    texts = [words_of_class(random, index % 2, 2, size) for index in range(count)]
    lines = [" ".join(words) for words in texts]
    for split in ("train", "dev", "test"):
        sentences = [f"{line}\t{index % 2}" for index, line in enumerate(lines)]
        _write(folder / f"datasets/Glue/SST-2/{split}.tsv", ["sentence\tlabel", *sentences])
    for number, line in enumerate(lines):
        for split in ("train", "test"):
            review = f"datasets/Imdb/aclImdb/{split}/{('neg', 'pos')[number % 2]}/{number}.txt"
            _write(folder / review, [line])
    _entailment(folder / "datasets/XNLI/XNLI-MT-1.0/XNLI-MT-1.0/multinli", lines)
    entities = [_entity(words, index % 2) for index, words in enumerate(texts)]
    for split in ("train", "dev", "test"):
        _write(folder / f"entities/{split}.json", [json.dumps(entities)])
    for name, kind in NAMED.items():
        write_model(folder / "models" / name, kind, random)


def _entailment(folder: Path, lines: list[str]) -> None:
    """A file for each language: the kit counts them."""
    rows = [
        f"{line}\t{lines[index - 1]}\t{ENTAILMENT[index % 3]}" for index, line in enumerate(lines)
    ]
    for language in LANGUAGES:
        _write(folder / f"multinli.train.{language}.tsv", ["premise\thypo\tlabel", *rows])


def _entity(words: list[str], label: int) -> dict[str, object]:
    start = len(words[0]) + 1
    end = start + len(words[1])
    return {"sent": " ".join(words), "start": start, "end": end, "labels": [CLASSES[label]]}


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
