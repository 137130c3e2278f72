"""Questions with answers, and tiny decoders of random weights to train on them.

train.json and dev.json hold a JSON object a line: `src`, the question, and `tgt`, the answer.
models/KIND is a folder as `from_pretrained` reads it, without weights.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

from .language_models import MODELS, WORDS, write_model

if TYPE_CHECKING:
    from pathlib import Path

DECODERS = tuple(kind for kind, model in MODELS.items() if model.architecture.endswith("CausalLM"))


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` pairs, each side of half to all of `size` words; the answer turns the question."""
    random = seeded(seed)
    rows = []
    for _ in range(count):
        words = random.choices(WORDS, k=random.randint(max(2, size // 2), size))
        rows.append(json.dumps({"src": " ".join(words), "tgt": " ".join(reversed(words))}) + "\n")
    (folder / "train.json").write_text("".join(rows))
    (folder / "dev.json").write_text("".join(rows[: max(2, count // 8)]))
    for kind in DECODERS:
        write_model(folder / "models" / kind, kind, random)
