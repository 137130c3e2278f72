"""Lines of code, and a tiny model that writes them.

train.json holds a JSON object a line: `code`. model/ is a folder as `from_pretrained` reads it.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from .language_models import WORDS, write_model


def generate(samples: Samples) -> None:
    """`count` texts of half to all of `size` words; each word follows the one before it."""
    rows = []
    for _ in range(samples.count):
        start, length = samples.random.randrange(len(WORDS)), samples.length(2)
        words = (WORDS[(start + place) % len(WORDS)] for place in range(length))
        rows.append(json.dumps({"code": " ".join(words)}))
    samples.write_lists(rows, "train.json", "dev.json", least=2)
    write_model(samples, "model", "codegen")
