"""Questions on texts in the published form of SQuAD, in datasets/SQuAD, and a tiny T5."""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from .language_models import write_model
from .questions import questions


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; the answer follows the word asked for."""
    paragraphs = []
    for number, one in enumerate(questions(samples)):
        answer = {"text": one.answer, "answer_start": one.start}
        question = {"id": str(number), "question": one.asked, "answers": [answer]}
        paragraphs.append({"context": one.context, "qas": [question]})
    for split, part in (("train", paragraphs), ("dev", paragraphs[:8])):
        told = {"data": [{"title": "", "paragraphs": part}]}
        samples.write(f"datasets/SQuAD/{split}-v1.1.json", json.dumps(told))
    write_model(samples, "models/t5", "t5")
