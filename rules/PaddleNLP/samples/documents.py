"""Pages with words at places and a class, and a tiny encoder of text and picture.

pages/ holds them as `datasets.load_dataset` reads a folder: the words, a box for each (left, top,
right, bottom), the picture as PNG in base 64, and the class as the answer to a question. model/ is
a folder as `from_pretrained` reads it.
"""

from __future__ import annotations

import base64
from typing import Any

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture

from .hub_dataset import write_dataset
from .language_models import words_of_class, write_model

CLASSES = ("letter", "bill")
SIDE = 32


def generate(samples: Samples) -> None:
    """`count` pages of half to all of `size` words; words of one half of the list mark a class."""
    rows = []
    for index in range(samples.count):
        words = words_of_class(samples, index % 2, 2)
        answer = {"text": [CLASSES[index % 2]], "answer_start": [-1], "answer_end": [-1]}
        asked = {"question": ["What is it?"], "answers": [answer]}
        rows.append({**page(samples, index, words), "qas": asked})
    write_dataset(samples, "pages", "default", rows)
    write_model(samples, "model", "ernie_layout")


def page(samples: Samples, index: int, words: list[str]) -> dict[str, Any]:
    """A page of these words, each at a place, with a picture; nothing is asked of it."""
    random = samples.random
    boxes = []
    for _ in words:
        left, top = random.randrange(SIDE // 2), random.randrange(SIDE // 2)
        boxes.append([left, top, left + random.randint(1, SIDE // 2), top + SIDE // 8])
    return {
        "name": f"page{index}",
        "page_no": 0,
        "text": words,
        "bbox": boxes,
        "segment_bbox": boxes,
        "width": SIDE,
        "height": SIDE,
        "image": base64.b64encode(Picture.noise(random, SIDE, SIDE).png()).decode(),
    }
