"""Texts with a question and its answer in them, and a tiny encoder of random weights.

clue/ holds them as `datasets.load_dataset("clue", "cmrc2018")` gives them; model/ is a folder as
`from_pretrained` reads it.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

from .hub_dataset import write_dataset
from .language_models import write_model
from .questions import questions


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; the answer follows the asked word."""
    rows = [
        {
            "id": str(number),
            "context": one.context,
            "question": one.asked,
            "answers": {"text": [one.answer], "answer_start": [one.start]},
        }
        for number, one in enumerate(questions(samples))
    ]
    write_dataset(samples, "clue", "cmrc2018", rows)
    write_model(samples, "model", "ernie")
