"""Texts of made-up words: train.json with one object a line, vocab.txt, and flat token numbers."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.npy import save_npy
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
WORDS = 200


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` texts of `size` words with a label of two classes."""
    random = seeded(seed)
    words = [*SPECIAL, *(f"w{number}" for number in range(WORDS))]
    rows = []
    tokens: list[int] = []
    for index in range(count):
        numbers = [random.randrange(len(SPECIAL), len(words)) for _ in range(size)]
        tokens += numbers
        text = " ".join(words[number] for number in numbers)
        rows.append(
            json.dumps({"src": text, "tgt": text[::-1], "sentence": text, "label": index % 2})
        )
    for name, part in (("train", rows), ("dev", rows[: max(1, count // 8)])):
        (folder / f"{name}.json").write_text("\n".join(part) + "\n")
    (folder / "vocab.txt").write_text("\n".join(words) + "\n")
    save_npy(folder / "tokens.npy", tokens, (count, size), "<i8")
