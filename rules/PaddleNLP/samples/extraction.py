"""Spans of text that a prompt asks for, and a tiny encoder of random weights to train on them.

train.txt and dev.txt hold a JSON object a line: `content`, `prompt`, and the `result_list` of spans
by their first character and the one after their last. model/ is a folder as `from_pretrained`
reads it.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from .language_models import write_model
from .questions import questions


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; the prompt is the word before the span."""
    rows = []
    for one in questions(samples):
        span = {"text": one.answer, "start": one.start, "end": one.start + len(one.answer)}
        row = {"content": one.context, "prompt": one.asked, "result_list": [span]}
        rows.append(json.dumps(row))
    samples.write_lists(rows, "train.txt", "dev.txt", least=2)
    write_model(samples, "model", "ernie")
