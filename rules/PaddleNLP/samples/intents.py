"""Requests with an intent and marked words, and a tiny encoder of random weights.

train.txt and dev.txt hold `number<tab>text<tab>intent<tab>text with <song>words</song>`;
intents.txt and slots.txt list what is told apart. model/ is a folder as `from_pretrained` reads it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.seeded import seeded

from .language_models import words_of_class, write_model

if TYPE_CHECKING:
    from pathlib import Path

INTENTS = ("play", "stop")
SLOTS = ("PAD", "O", "B-song", "I-song")


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` texts of half to all of `size` words, two of them marked."""
    random = seeded(seed)
    rows = []
    for index in range(count):
        words = words_of_class(random, index % 2, 4, size)
        at = random.randrange(len(words) - 1)
        marked = [*words[:at], f"<song>{words[at]} {words[at + 1]}</song>", *words[at + 2 :]]
        intent = INTENTS[index % 2]
        rows.append(f"{index}\t{' '.join(words)}\t{intent}\t{' '.join(marked)}\n")
    (folder / "train.txt").write_text("".join(rows))
    (folder / "dev.txt").write_text("".join(rows[: max(2, count // 8)]))
    for name, listed in (("intents", INTENTS), ("slots", SLOTS)):
        (folder / f"{name}.txt").write_text("".join(f"{entry}\n" for entry in listed))
    write_model(folder / "model", "ernie", random)
