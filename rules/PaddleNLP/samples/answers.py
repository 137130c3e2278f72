"""Texts with a question and its answer in them, and a tiny encoder of random weights.

clue/ holds them as `datasets.load_dataset("clue", "cmrc2018")` gives them; model/ is a folder as
`from_pretrained` reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

from .hub_dataset import write_dataset
from .language_models import WORDS, write_model

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` texts of half to all of `size` words; the answer follows the asked word."""
    random = seeded(seed)
    rows = []
    for index in range(count):
        words = random.sample(WORDS, random.randint(max(3, size // 2), size))
        asked = random.randrange(len(words) - 1)
        start = len(" ".join(words[: asked + 1])) + 1
        answers = {"text": [words[asked + 1]], "answer_start": [start]}
        context = " ".join(words)
        rows.append(
            {"id": str(index), "context": context, "question": words[asked], "answers": answers}
        )
    write_dataset(folder / "clue", "cmrc2018", rows)
    write_model(folder / "model", "ernie", random)
