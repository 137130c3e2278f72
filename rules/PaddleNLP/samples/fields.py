"""Pages with fields that are asked for, and a tiny encoder of text and picture.

pages/ holds them as `datasets.load_dataset` reads a folder: the words, a box for each (left, top,
right, bottom), the picture as PNG in base 64, and of each field its name and the words of its
value, by the first and the one behind the last. model/ is a folder as `from_pretrained` reads it.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

from .documents import page
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
        asked = {"question_id": numbers, "question": FIELDS, "answers": answers}
        rows.append({**page(samples, index, words), "qas": asked})
    write_dataset(samples, "pages", "default", rows)
    write_model(samples, "model", "ernie_layout")
