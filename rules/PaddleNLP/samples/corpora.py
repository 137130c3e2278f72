"""The corpora and models that the kit's scripts name themselves, with generated texts instead.

datasets/CLASS holds the files that a dataset of the kit fetches (launch.py puts them where it looks
for them), models/NAME a tiny model under the name that scripts ask for. lines.txt is a text a line,
couples.txt `text<tab>text`, pairs.txt the same with `<tab>0 or 1`; triplets.tsv has a heading and a
third text of the other class. labelled/ is for classes several to a text, waybills/ for a tag to
each word.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from . import tagged
from .language_models import pairs_of, texts_of_classes, write_model

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


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; words of one half of the list mark a class."""
    texts = texts_of_classes(samples)
    pairs = pairs_of(samples, texts)
    samples.write_lines("lines.txt", texts)
    samples.write_lines("pairs.txt", pairs)
    samples.write_lines("pairs.tsv", ("query\ttitle\tlabel", *pairs))
    samples.write_lines("couples.txt", (pair.rpartition("\t")[0] for pair in pairs))
    like, unlike = texts[2:] + texts[:2], texts[1:] + texts[:1]
    triplets = ("\t".join(three) for three in zip(texts, like, unlike, strict=True))
    samples.write_lines("triplets.tsv", ("query\ttitle\tneg_title", *triplets))
    labelled = [f"{text}\t{','.join(CLASSES[n % 2 :])}" for n, text in enumerate(texts)]
    _write_splits(samples, "labelled/{}.txt", labelled)
    samples.write_lines("labelled/label.txt", CLASSES)
    tagged.generate(samples.again("waybills"))
    _write_datasets(samples, texts, pairs)
    for name, kind in NAMED.items():
        write_model(samples, f"models/{name}", kind)


def _write_datasets(samples: Samples, texts: list[str], pairs: list[str]) -> None:
    """What the kit's datasets read, in a folder for each of their classes."""
    both = [(text, number % 2) for number, text in enumerate(texts)]
    _write_splits(samples, "datasets/LCQMC/lcqmc/lcqmc/{}.tsv", pairs)
    sentences = [f"{text}\t{label}" for text, label in both]
    _write_splits(samples, "datasets/Glue/SST-2/{}.tsv", sentences, "sentence\tlabel")
    # Of training texts it gives no number.
    reviews = "datasets/ChnSentiCorp/ChnSentiCorp/ChnSentiCorp"
    listed = [f"{label}\t{text}" for text, label in both]
    _write_splits(samples, f"{reviews}/{{}}.tsv", listed, "label\ttext_a")
    numbered = (f"0\t{line}" for line in listed[:8])
    samples.write_lines(f"{reviews}/dev.tsv", ("qid\tlabel\ttext_a", *numbered))
    news = [json.dumps({"sentence": text, "label": str(100 + label)}) for text, label in both]
    _write_splits(samples, "datasets/Clue/tnews_public/{}.json", news)
    named = [f"{CLASSES[label]}\t{text}" for text, label in both]
    _write_splits(samples, "datasets/THUCNews/thucnews/{}.txt", named)
    samples.write_lines("datasets/THUCNews/thucnews/val.txt", named[:8])
    samples.write_lines("datasets/THUCNews/thucnews/label.txt", CLASSES)
    cases = [
        json.dumps({"A": text, "B": texts[index - 1], "C": texts[index - 2], "label": "C"})
        for index, text in enumerate(texts)
    ]
    _write_splits(samples, "datasets/CAIL2019_SCM/cail2019_scm_{}.json", cases)


def _write_splits(samples: Samples, name: str, lines: list[str], heading: str = "") -> None:
    """Files for training, and shorter ones for the rest."""
    for split in ("train", "dev", "test"):
        kept = lines if split == "train" else lines[:8]
        samples.write_lines(name.format(split), (heading, *kept) if heading else kept)
