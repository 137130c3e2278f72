"""Pages with fields that are asked for, and a tiny encoder of text and picture.

pages/ holds them as `datasets.load_dataset` reads a folder: the words, a box for each (left, top,
right, bottom), the picture as PNG in base 64, and of each field its name and the words of its
value, by the first and the one behind the last. model/ is a folder as `from_pretrained` reads it.
"""

from __future__ import annotations

import base64

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture

from .documents import SIDE
from .hub_dataset import write_dataset
from .language_models import write_model
from .questions import different_words

FIELDS = ("w0", "w1")


def generate(samples: Samples) -> None:
    """`count` pages of half to all of `size` words; a field is two of them."""
    random = samples.random
    rows = []
    for index in range(samples.count):
        words = different_words(samples)
        boxes = []
        for _ in words:
            left, top = random.randrange(SIDE // 2), random.randrange(SIDE // 2)
            boxes.append([left, top, left + random.randint(1, SIDE // 2), top + SIDE // 8])
        starts = sorted(random.sample(range(0, len(words) - 2, 2), len(FIELDS)))
        answers = [
            {
                "text": [" ".join(words[start : start + 2])],
                "answer_start": [start],
                "answer_end": [start + 2],
            }
            for start in starts
        ]
        numbers = [f"{index}-{field}" for field in FIELDS]
        rows.append(
            {
                "name": f"page{index}",
                "page_no": 0,
                "text": words,
                "bbox": boxes,
                "segment_bbox": boxes,
                "width": SIDE,
                "height": SIDE,
                "image": base64.b64encode(Picture.noise(random, SIDE, SIDE).png()).decode(),
                "qas": {"question_id": numbers, "question": FIELDS, "answers": answers},
            }
        )
    write_dataset(samples, "pages", "default", rows)
    write_model(samples, "model", "ernie_layout")
