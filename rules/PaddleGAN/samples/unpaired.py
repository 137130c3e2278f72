"""Two kinds of pictures for unpaired translation: trainA, trainB, testA, testB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Boxes of one colour in A, of another in B."""
    random = seeded(seed)
    for side, colour in (("A", 1), ("B", 6)):
        for index in range(count):
            picture = Picture.noise(random, size, size)
            picture.box(*random_box(random, size), colour_of(colour))
            picture.save(folder / f"train{side}" / f"{index:05d}.png")
            if index < max(1, count // 8):
                picture.save(folder / f"test{side}" / f"{index:05d}.png")
