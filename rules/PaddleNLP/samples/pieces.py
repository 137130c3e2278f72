"""Texts with a class for models whose tokenizers cut words into pieces of their own.

datasets/CLASS holds the files that a dataset of the kit fetches, models/NAME a tiny model under the
name that scripts ask for. entities/ holds a list of texts with a marked word and its classes.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from .language_models import LANGUAGES, words_of_class, write_model

CLASSES = ("sport", "trade")
ENTAILMENT = ("neutral", "entailment", "contradictory")
NAMED = {
    "t5-small": "t5",
    "bigbird-base-uncased": "bigbird",
    "luke-base": "luke",
    "xlm": "xlm",
}


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; words of one half of the list mark a class."""
    texts = [words_of_class(samples, index % 2, 2) for index in range(samples.count)]
    lines = [" ".join(words) for words in texts]
    sentences = [f"{line}\t{index % 2}" for index, line in enumerate(lines)]
    entities = [_entity(words, index % 2) for index, words in enumerate(texts)]
    for split in ("train", "dev", "test"):
        name = f"datasets/Glue/SST-2/{split}.tsv"
        samples.write_lines(name, ["sentence\tlabel", *sentences])
        samples.write_lines(f"entities/{split}.json", [json.dumps(entities)])
    for number, line in enumerate(lines):
        for split in ("train", "test"):
            review = f"datasets/Imdb/aclImdb/{split}/{('neg', 'pos')[number % 2]}/{number}.txt"
            samples.write_lines(review, [line])
    _entailment(samples, lines)
    for name, kind in NAMED.items():
        write_model(samples, f"models/{name}", kind)


def _entailment(samples: Samples, lines: list[str]) -> None:
    """A file for each language: the kit counts them."""
    rows = [
        f"{line}\t{lines[index - 1]}\t{ENTAILMENT[index % 3]}" for index, line in enumerate(lines)
    ]
    for language in LANGUAGES:
        name = f"XNLI-MT-1.0/XNLI-MT-1.0/multinli/multinli.train.{language}.tsv"
        samples.write_lines(f"datasets/XNLI/{name}", ["premise\thypo\tlabel", *rows])


def _entity(words: list[str], label: int) -> dict[str, object]:
    start = len(words[0]) + 1
    end = start + len(words[1])
    return {"sent": " ".join(words), "start": start, "end": end, "labels": [CLASSES[label]]}
