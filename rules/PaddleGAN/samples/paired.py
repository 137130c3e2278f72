"""Pictures side by side for paired translation, and halves for super-resolution.

train/ and test/ hold A and B in one picture; hq/ and lq/ hold a picture and its quarter, and
noisy/ holds it with noise added.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

SCALE = 4


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """The right half has the left half's box in another colour."""
    random = seeded(seed)
    for index in range(count):
        picture = Picture.noise(random, 2 * size, size)
        left, top, right, bottom = random_box(random, size)
        picture.box(left, top, right, bottom, colour_of(1))
        picture.box(left + size, top, right + size, bottom, colour_of(6))
        name = f"{index:05d}.png"
        picture.save(folder / "train" / name)
        if index < max(1, count // 8):
            picture.save(folder / "test" / name)
        large, small = Picture(size, size), Picture(size // SCALE, size // SCALE)
        large.box(left, top, right, bottom, colour_of(index))
        small.box(left // SCALE, top // SCALE, right // SCALE, bottom // SCALE, colour_of(index))
        large.save(folder / "hq" / name)
        small.save(folder / "lq" / name)
        noisy = Picture.noise(random, size, size)
        noisy.box(left, top, right, bottom, colour_of(index))
        noisy.save(folder / "noisy" / name)
