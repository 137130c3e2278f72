"""Clips as folders of numbered frames, in train/ and test/: a box moves from frame to frame.

home/ stands for the user's: there lie weights that the kit would fetch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of
from codemod.training.samples.seeded import seeded

from .weights import empty_state

if TYPE_CHECKING:
    from pathlib import Path

FRAMES = 6


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` clips of six frames in train/, an eighth of them in test/ too."""
    random = seeded(seed)
    for index in range(count):
        side = random.randint(size // 4, size // 2)
        top, step = random.randint(0, size - side), (size - side) // FRAMES
        for number in range(FRAMES):
            frame = Picture.noise(random, size, size)
            left = step * number
            frame.box(left, top, left + side, top + side, colour_of(index))
            for part in ("train", "test") if index < max(1, count // 8) else ("train",):
                frame.save(folder / part / f"clip{index:03d}" / f"{number}.png")
    empty_state(folder, "vgg19.pdparams")
    empty_state(folder, "vox-cpk.pdparams", ("kp_detector", "generator"))
