"""Clips as features of regions and actions, each with a caption, and the words that these are of.

`clips.npy` is a pickled list, which NumPy reads under that name, too: of each clip its regions'
features, classes and boxes, how many, the picture's height and width, a number, the caption, its
actions' features and classes, how many. `captions.json` lists the captions. `model/` has the words,
as a tokenizer of BERT reads them.
"""

from __future__ import annotations

import json
import pickle
from random import Random
from typing import Any

from codemod.training.samples.making import Samples

# What the kit's pipeline and net are made for.
FEATURES = 2048
REGION_CLASSES = 1601
ACTION_CLASSES = 700
MARKS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
# The kit draws words by number and, once in so many, one that is not there: many make it rare.
WORDS = 2000 - len(MARKS)
REGIONS, ACTIONS = 4, 2


def generate(samples: Samples) -> None:
    """Captions of eight words; `size` is the side of the pictures that boxes lie in."""
    clips = [_clip(samples.random, number, samples.size) for number in range(samples.count)]
    samples.write("clips.npy", pickle.dumps(clips, protocol=4))
    samples.write("captions.json", json.dumps([clip[7] for clip in clips]))
    samples.write_lines("model/vocab.txt", [*MARKS, *(f"w{n}" for n in range(WORDS))])
    told = {"do_lower_case": True, "tokenizer_class": "BertTokenizer"}
    samples.write("model/tokenizer_config.json", json.dumps(told))


def _clip(random: Random, number: int, size: int) -> list[Any]:
    boxes = []
    for _ in range(REGIONS):
        left, top = random.randint(0, size // 2), random.randint(0, size // 2)
        boxes.append([left, top, left + size // 4, top + size // 4])
    caption = " ".join(f"w{random.randrange(WORDS)}" for _ in range(8))
    kinds = [random.randrange(REGION_CLASSES) for _ in range(REGIONS)]
    likely = [[float(kind == n) for n in range(REGION_CLASSES)] for kind in kinds]
    regions = [_features(random, REGIONS), likely, boxes, REGIONS]
    acting = [random.randrange(ACTION_CLASSES) for _ in range(ACTIONS)]
    actions = [_features(random, ACTIONS), acting, ACTIONS]
    return [*regions, size, size, number, caption, *actions]


def _features(random: Random, count: int) -> list[list[float]]:
    return [[random.gauss(0, 0.5) for _ in range(FEATURES)] for _ in range(count)]
