"""Texts with questions on them, in the forms that more scripts for reading name, with tiny models.

squad/ and PaddlePaddle/dureader_robust/ hold them as `datasets.load_dataset` reads a folder, spans/
as what a prompt asks for. models/NAME is a tiny model.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

from . import extraction
from .hub_dataset import write_dataset
from .language_models import write_model
from .questions import questions

NAMED = {
    "ernie": "ernie",
    "uie-base": "ernie",
    "mpnet": "mpnet",
}


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; the answer follows the word asked for."""
    asked = questions(samples)
    rows = [
        {
            "id": str(number),
            "title": "",
            "context": one.context,
            "question": one.asked,
            "answers": {"text": [one.answer], "answer_start": [one.start]},
        }
        for number, one in enumerate(asked)
    ]
    write_dataset(samples, "squad", "plain_text", rows)
    write_dataset(samples, "PaddlePaddle/dureader_robust", "default", rows)
    extraction.generate(samples.again("spans"))
    for name, kind in NAMED.items():
        write_model(samples, f"models/{name}", kind)
