"""Pictures to paint in the style of another: content/, and style.png.

home/ stands for the user's: there lie weights that the kit would fetch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

from .weights import empty_state

if TYPE_CHECKING:
    from pathlib import Path

STRIPES = 8


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """A box of a picture is coloured; the style is stripes of all colours."""
    random = seeded(seed)
    for index in range(count):
        picture = Picture.noise(random, size, size)
        picture.box(*random_box(random, size), colour_of(index))
        picture.save(folder / "content" / f"{index:05d}.png")
    style = Picture.noise(random, size, size)
    for stripe in range(0, STRIPES, 2):
        left = stripe * size // STRIPES
        style.box(left, 0, left + size // STRIPES, size, colour_of(stripe))
    style.save(folder / "style.png")
    empty_state(folder, "vgg_normalised.pdparams")
