"""Frames of drives by day, and the same by night: train.txt names those that have one on each side.

They lie at `day_train_all/NUMBER.png` and `day_train_all_fake_night/NUMBER.png`, of ten digits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

DAY = "day_train_all"
NIGHT = f"{DAY}_fake_night"


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Boxes come nearer from frame to frame; frames are twice as broad as `size`, their height."""
    random = seeded(seed)
    lines = []
    for number in range(count + 2):
        start = random.getstate()
        for name, dim in ((DAY, 1), (NIGHT, 3)):
            random.setstate(start)
            frame = Picture.noise(random, 2 * size, size)
            half = size // 8 + number % 8 * size // 32
            colour = bytes(value // dim for value in colour_of(number // 8))
            frame.box(size - half, size // 2 - half, size + half, size // 2 + half, colour)
            frame.save(folder / name / f"{number:010d}.png")
        if 0 < number <= count:
            lines.append(f"{DAY}/{number:010d}\n")
    (folder / "train.txt").write_text("".join(lines))
