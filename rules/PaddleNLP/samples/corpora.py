"""The corpora and models that the kit's scripts name themselves, with generated texts instead.

datasets/CLASS holds the files that a dataset of the kit fetches (launch.py puts them where it looks
for them), models/NAME a tiny model under the name that scripts ask for. lines.txt is a text a line,
couples.txt `text<tab>text`, pairs.txt the same with `<tab>0 or 1`; triplets.tsv has a heading and a
third text of the other class. labelled/ is for classes several to a text, waybills/ for a tag to
each word.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

from . import tagged
from .language_models import words_of_class, write_model

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

CLASSES = ("sport", "trade")
# Names by which scripts ask for a model, and what stands there.
NAMED = {
    "ernie-3.0-medium-zh": "ernie",
    "ernie-1.0": "ernie",
    "bert-base-uncased": "bert",
    "convbert": "convbert",
    "megatronbert": "megatronbert",
    "roformer": "roformer",
}


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` texts of half to all of `size` words; words of one half of the list mark a class."""
    random = seeded(seed)
    texts = [" ".join(words_of_class(random, index % 2, 2, size)) for index in range(count)]
    labels = [index % 2 for index in range(count)]
    others = [random.randrange(count) for _ in texts]
    pairs = [
        f"{text}\t{texts[other]}\t{int(other % 2 == label)}"
        for text, other, label in zip(texts, others, labels, strict=True)
    ]
    _write(folder / "lines.txt", texts)
    _write(folder / "pairs.txt", pairs)
    _write(folder / "pairs.tsv", ("query\ttitle\tlabel", *pairs))
    _write(folder / "couples.txt", (pair.rpartition("\t")[0] for pair in pairs))
    like, unlike = texts[2:] + texts[:2], texts[1:] + texts[:1]
    triplets = ("\t".join(three) for three in zip(texts, like, unlike, strict=True))
    _write(folder / "triplets.tsv", ("query\ttitle\tneg_title", *triplets))
    labelled = [
        f"{text}\t{','.join(CLASSES[label:])}" for text, label in zip(texts, labels, strict=True)
    ]
    _splits(folder / "labelled", labelled, "{}.txt")
    _write(folder / "labelled" / "label.txt", CLASSES)
    (folder / "waybills").mkdir()
    tagged.generate(folder / "waybills", count, size, seed)
    _datasets(folder / "datasets", texts, labels, pairs)
    for name, kind in NAMED.items():
        write_model(folder / "models" / name, kind, random)


def _datasets(folder: Path, texts: list[str], labels: list[int], pairs: list[str]) -> None:
    """What the kit's datasets read, in a folder for each of their classes."""
    both = list(zip(texts, labels, strict=True))
    _splits(folder / "LCQMC/lcqmc/lcqmc", pairs, "{}.tsv")
    _splits(
        folder / "Glue/SST-2",
        [f"{text}\t{label}" for text, label in both],
        "{}.tsv",
        "sentence\tlabel",
    )
    # Of training texts it gives no number.
    reviews = folder / "ChnSentiCorp/ChnSentiCorp/ChnSentiCorp"
    listed = [f"{label}\t{text}" for text, label in both]
    _splits(reviews, listed, "{}.tsv", "label\ttext_a")
    _write(reviews / "dev.tsv", ("qid\tlabel\ttext_a", *(f"0\t{line}" for line in listed[:8])))
    news = [json.dumps({"sentence": text, "label": str(100 + label)}) for text, label in both]
    _splits(folder / "Clue/tnews_public", news, "{}.json")
    _splits(
        folder / "THUCNews/thucnews",
        [f"{CLASSES[label]}\t{text}" for text, label in both],
        "{}.txt",
    )
    _write(
        folder / "THUCNews/thucnews/val.txt",
        (f"{CLASSES[label]}\t{text}" for text, label in both[:8]),
    )
    _write(folder / "THUCNews/thucnews/label.txt", CLASSES)
    cases = [
        json.dumps({"A": text, "B": texts[index - 1], "C": texts[index - 2], "label": "C"})
        for index, text in enumerate(texts)
    ]
    _splits(folder / "CAIL2019_SCM", cases, "cail2019_scm_{}.json")


def _splits(folder: Path, lines: list[str], name: str, heading: str = "") -> None:
    """Files for training, and shorter ones for the rest."""
    for split in ("train", "dev", "test"):
        kept = lines if split == "train" else lines[:8]
        _write(folder / name.format(split), (heading, *kept) if heading else kept)


def _write(path: Path, lines: Iterable[str]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(f"{line}\n" for line in lines))
