"""Clips of a hundred frames, each with its quarter, as REDS has them: gt/, lq/ and frames.txt.

home/ stands for the user's: there lie weights that the kit would fetch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of
from codemod.training.samples.seeded import seeded

from .weights import empty_state

if TYPE_CHECKING:
    from pathlib import Path

SCALE = 4
# The readers take a clip's length for granted.
FRAMES = 100
# Clips that the readers keep for training have other numbers than these.
_FIRST = 1
_FLOWS = ("spynet", "modified_spynet", "modified_spynet_tiny")


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`count` clips of at most nine; a box moves from left to right and back."""
    random = seeded(seed)
    lines = []
    for clip in range(_FIRST, _FIRST + min(count, 9)):
        small = size // SCALE
        side, top = small // 2, random.randint(0, small // 2)
        ground = Picture.noise(random, small, small)
        large_ground = Picture.noise(random, size, size)
        for number in range(FRAMES):
            left = abs(number % small - small // 2)
            name = f"{clip:03d}/{number:08d}.png"
            for place, scale, start in (("lq", 1, ground), ("gt", SCALE, large_ground)):
                edge = small * scale
                frame = Picture(edge, edge, 3, bytearray(start.pixels))
                right, bottom = scale * (left + side), scale * (top + side)
                frame.box(scale * left, scale * top, right, bottom, colour_of(clip))
                frame.save(folder / place / name)
            lines.append(f"{name} ({size}, {size}, 3)\n")
    (folder / "frames.txt").write_text("".join(lines))
    for name in _FLOWS:
        empty_state(folder, f"{name}.pdparams")
