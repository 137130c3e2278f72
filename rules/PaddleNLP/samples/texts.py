"""Texts and pairs of texts with a label, and tiny encoders of random weights to train on them.

pairs.tsv holds `text<tab>text<tab>0 or 1` under a heading; train.txt and dev.txt `text<tab>class`,
label.txt the classes. glue/ and sentences/ hold the same texts as `datasets.load_dataset` reads a
folder: in glue/ they are called `sentence`, in sentences/ `text`. models/KIND is a folder as
`from_pretrained` reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

from .hub_dataset import write_dataset
from .language_models import words_of_class, write_model

if TYPE_CHECKING:
    from pathlib import Path

# Increase it when something else is written.
VERSION = 3
CLASSES = ("sport", "trade")
ENCODERS = ("ernie", "bert", "electra", "albert", "ernie_m", "ernie_layout")


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` texts of half to all of `size` words; words of one half of the list mark a class."""
    random = seeded(seed)
    texts = [" ".join(words_of_class(random, index % 2, 2, size)) for index in range(count)]
    rows = [f"{text}\t{CLASSES[index % 2]}\n" for index, text in enumerate(texts)]
    pairs = [
        f"{text}\t{texts[other]}\t{int(other % 2 == index % 2)}\n"
        for index, text in enumerate(texts)
        for other in (random.randrange(count),)
    ]
    (folder / "train.txt").write_text("".join(rows))
    (folder / "dev.txt").write_text("".join(rows[: max(2, count // 8)]))
    (folder / "label.txt").write_text("".join(f"{name}\n" for name in CLASSES))
    (folder / "pairs.tsv").write_text("query\ttitle\tlabel\n" + "".join(pairs))
    for name, config, column in (("glue", "sst2", "sentence"), ("sentences", "default", "text")):
        listed = [{column: text, "label": index % 2} for index, text in enumerate(texts)]
        write_dataset(folder / name, config, listed, {column: "string", "label": CLASSES})
    for kind in ENCODERS:
        write_model(folder / "models" / kind, kind, random)
