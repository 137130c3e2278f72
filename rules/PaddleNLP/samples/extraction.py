"""Spans of text that a prompt asks for, and a tiny encoder of random weights to train on them.

train.txt and dev.txt hold a JSON object a line: `content`, `prompt`, and the `result_list` of spans
by their first character and the one after their last. model/ is a folder as `from_pretrained`
reads it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

from .language_models import WORDS, write_model

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` texts of half to all of `size` words; the prompt is the word before the span."""
    random = seeded(seed)
    rows = []
    for _ in range(count):
        words = random.sample(WORDS, random.randint(max(3, size // 2), size))
        asked = random.randrange(len(words) - 1)
        start = len(" ".join(words[: asked + 1])) + 1
        text = words[asked + 1]
        span = {"text": text, "start": start, "end": start + len(text)}
        row = {"content": " ".join(words), "prompt": words[asked], "result_list": [span]}
        rows.append(json.dumps(row) + "\n")
    (folder / "train.txt").write_text("".join(rows))
    (folder / "dev.txt").write_text("".join(rows[: max(2, count // 8)]))
    write_model(folder / "model", "ernie", random)
