"""Photographs, drawings, and drawings without edges: train_photo, Hayao/style, Hayao/smooth.

home/ stands for the user's: there lie the weights of the net that compares pictures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

from .weights import vgg_without_head

if TYPE_CHECKING:
    from pathlib import Path

STYLE = "Hayao"


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Boxes of one colour on noise, of another on grey; the smooth ones are paler."""
    random = seeded(seed)
    for index in range(count):
        name = f"{index:05d}.png"
        photo = Picture.noise(random, size, size)
        photo.box(*random_box(random, size), colour_of(1))
        photo.save(folder / "train_photo" / name)
        if index < max(1, count // 8):
            photo.save(folder / "test" / "test_photo" / name)
        box = random_box(random, size)
        for kind, low in (("style", 90), ("smooth", 30)):
            drawn = Picture.noise(random, size, size, low)
            drawn.box(*box, colour_of(6))
            drawn.save(folder / STYLE / kind / name)
    vgg_without_head(folder, "vgg19_no_fc.npy", seed)
