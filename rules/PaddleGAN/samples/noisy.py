"""Pictures with noise and without, in the folders of two readers.

input/ and target/ hold the noisy and the clean ones, Noisy/, GT/ and LQ/ the same and a quarter.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

SCALE = 4


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """A box on noise, and the same box on nothing."""
    random = seeded(seed)
    for index in range(count):
        left, top, right, bottom = random_box(random, size)
        colour = colour_of(index)
        clean, quarter = Picture(size, size), Picture(size // SCALE, size // SCALE)
        noisy = Picture.noise(random, size, size)
        for picture in (clean, noisy):
            picture.box(left, top, right, bottom, colour)
        quarter.box(left // SCALE, top // SCALE, right // SCALE, bottom // SCALE, colour)
        name = f"{index:05d}.png"
        for place, picture in (
            ("target", clean),
            ("input", noisy),
            ("GT", clean),
            ("Noisy", noisy),
            ("LQ", quarter),
        ):
            picture.save(folder / place / name)
