"""Questions on texts in the published form of SQuAD, in datasets/SQuAD, and a tiny T5."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

from .language_models import WORDS, write_model

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` texts of half to all of `size` words; the answer follows the word asked for."""
    random = seeded(seed)
    paragraphs = []
    for number in range(count):
        words = random.sample(WORDS, random.randint(max(3, size // 2), size))
        asked = random.randrange(len(words) - 1)
        start = len(" ".join(words[: asked + 1])) + 1
        answer = {"text": words[asked + 1], "answer_start": start}
        question = {"id": str(number), "question": words[asked], "answers": [answer]}
        paragraphs.append({"context": " ".join(words), "qas": [question]})
    place = folder / "datasets" / "SQuAD"
    place.mkdir(parents=True)
    for split, part in (("train", paragraphs), ("dev", paragraphs[:8])):
        told = {"data": [{"title": "", "paragraphs": part}]}
        (place / f"{split}-v1.1.json").write_text(json.dumps(told))
    write_model(folder / "models" / "t5", "t5", random)
