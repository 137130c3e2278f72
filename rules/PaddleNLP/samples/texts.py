"""Texts and pairs of texts with a label, and tiny encoders of random weights to train on them.

pairs.tsv holds `text<tab>text<tab>0 or 1` under a heading; train.txt and dev.txt `text<tab>class`,
label.txt the classes. glue/ and sentences/ hold the same texts as `datasets.load_dataset` reads a
folder: in glue/ they are called `sentence`, in sentences/ `text`. models/KIND is a folder as
`from_pretrained` reads it.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

from .hub_dataset import write_dataset
from .language_models import pairs_of, texts_of_classes, write_model

# Increase it when something else is written.
VERSION = 3
CLASSES = ("sport", "trade")
ENCODERS = ("ernie", "bert", "electra", "albert", "ernie_m", "ernie_layout")


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; words of one half of the list mark a class."""
    texts = texts_of_classes(samples)
    rows = [f"{text}\t{CLASSES[index % 2]}" for index, text in enumerate(texts)]
    samples.write_lines("pairs.tsv", ("query\ttitle\tlabel", *pairs_of(samples, texts)))
    samples.write_lists(rows, "train.txt", "dev.txt", least=2)
    samples.write_lines("label.txt", CLASSES)
    for name, config, column in (("glue", "sst2", "sentence"), ("sentences", "default", "text")):
        listed = [{column: text, "label": index % 2} for index, text in enumerate(texts)]
        write_dataset(samples, name, config, listed, {column: "string", "label": CLASSES})
    for kind in ENCODERS:
        write_model(samples, f"models/{kind}", kind)
