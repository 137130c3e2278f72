"""Texts in which names are tagged, in the forms that more scripts for tagging name.

msra_ner/ holds them as `datasets.load_dataset` reads a folder, datasets/MsraNer as the kit's own
dataset does; seqeval/ is a stand-in for the metric of that name, which a hub has and no training
asks. models/NAME is a tiny model.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from .language_models import WORDS, write_model
from .questions import different_words

KINDS = ("PER", "ORG", "LOC")
# The order of the hub's dataset, the first one no name.
TAGS = ("O", *(f"{place}-{kind}" for kind in KINDS for place in "BI"))
BETWEEN = "\x02"
METRIC = '''\
"""Counts no names: a stand-in where no hub can be asked."""

import datasets
import evaluate


class Seqeval(evaluate.Metric):
    """Every number is zero."""

    def _info(self):
        tags = datasets.Sequence(datasets.Value("string"))
        features = datasets.Features({"predictions": tags, "references": tags})
        return evaluate.MetricInfo(description="", citation="", features=features)

    def _compute(self, predictions, references):
        return dict.fromkeys((f"overall_{name}" for name in NAMES), 0.0)


NAMES = ("precision", "recall", "f1", "accuracy")
'''


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; a word's number decides its tag."""
    texts = [different_words(samples) for _ in range(samples.count)]
    numbers = [[_tag(words, place) for place in range(len(words))] for words in texts]
    rows = [
        json.dumps({"id": str(number), "tokens": words, "ner_tags": tags})
        for number, (words, tags) in enumerate(zip(texts, numbers, strict=True))
    ]
    lines = [
        f"{BETWEEN.join(words)}\t{BETWEEN.join(TAGS[tag] for tag in tags)}"
        for words, tags in zip(texts, numbers, strict=True)
    ]
    for split in ("train", "test"):
        samples.write_lines(f"msra_ner/{split}.jsonl", rows if split == "train" else rows[:8])
        kept = lines if split == "train" else lines[:8]
        samples.write_lines(f"datasets/MsraNer/msra_ner/{split}.tsv", kept)
    # JSON is YAML too.
    samples.write("msra_ner/README.md", f"---\n{json.dumps(_head(), indent=1)}\n---\n")
    samples.write("seqeval/seqeval.py", METRIC)
    for kind in ("bert", "ernie"):
        write_model(samples, f"models/{kind}", kind)


def _tag(words: list[str], place: int) -> int:
    """Half of the words are of no name; a word behind one of its own kind goes on with it."""
    kinds = [WORDS.index(word) % (2 * len(KINDS)) for word in words[max(0, place - 1) : place + 1]]
    kind = kinds[-1]
    if kind >= len(KINDS):
        return 0
    return 1 + 2 * kind + (len(kinds) == 2 and kinds[0] == kind)


def _head() -> dict[str, object]:
    """The splits, and the types of the columns: a tag is a number that stands for a name."""
    files = [{"split": split, "path": f"{split}.jsonl"} for split in ("train", "test")]
    tags = {"class_label": {"names": {str(number): tag for number, tag in enumerate(TAGS)}}}
    features = [
        {"name": "id", "dtype": "string"},
        {"name": "tokens", "sequence": "string"},
        {"name": "ner_tags", "sequence": tags},
    ]
    return {
        "configs": [{"config_name": "default", "data_files": files}],
        "dataset_info": {"config_name": "default", "features": features},
    }
