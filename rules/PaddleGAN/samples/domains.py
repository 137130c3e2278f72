"""Pictures of three kinds in folders of their names: train/ and val/ with cat, dog and wild.

home/ stands for the user's: there lie weights that the kit would fetch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

from .weights import empty_state

if TYPE_CHECKING:
    from pathlib import Path

KINDS = ("cat", "dog", "wild")


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` pictures of each kind, told apart by the colour of their boxes."""
    random = seeded(seed)
    for number, kind in enumerate(KINDS):
        for index in range(count):
            picture = Picture.noise(random, size, size)
            picture.box(*random_box(random, size), colour_of(number))
            name = f"{index:05d}.png"
            picture.save(folder / "train" / kind / name)
            if index < max(1, count // 8):
                picture.save(folder / "val" / kind / name)
    empty_state(folder, "model_ir_se50.pdparams")
