"""Pictures, and masks of the holes to be filled in them: train_img, train_mask, val_img, val_mask.

home/ stands for the user's: there lie weights that the kit would fetch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

from .weights import empty_state

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """A box of a picture is coloured, a box of its mask is white."""
    random = seeded(seed)
    for index in range(count):
        picture, mask = Picture.noise(random, size, size), Picture(size, size, 1)
        picture.box(*random_box(random, size), colour_of(index))
        mask.box(*random_box(random, size), b"\xff")
        name = f"{index:05d}.png"
        for part in ("train", "val") if index < max(1, count // 8) else ("train",):
            picture.save(folder / f"{part}_img" / name)
            mask.save(folder / f"{part}_mask" / name)
    empty_state(folder, "vgg19feats.pdparams")
