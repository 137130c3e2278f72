"""Pictures of faultless bottles, named as the MVTec set for anomaly detection names them.

Training reads `bottle/train/good/NAME.png` alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Each picture has one box."""
    random = seeded(seed)
    for index in range(count):
        picture = Picture.noise(random, size, size)
        picture.box(*random_box(random, size), colour_of(index % 5))
        picture.save(folder / "bottle" / "train" / "good" / f"{index:03d}.png")
