"""Clips of a hundred frames, each with its quarter, as REDS has them: gt/, lq/ and frames.txt.

home/ stands for the user's: there lie weights that the kit would fetch.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture, colour_of

from .quarters import SCALE
from .weights import empty_state

# The readers take a clip's length for granted.
FRAMES = 100
# Clips that the readers keep for training have other numbers than these.
_FIRST = 1
_FLOWS = ("spynet", "modified_spynet", "modified_spynet_tiny")


def generate(samples: Samples) -> None:
    """`count` clips of at most nine; a box moves from left to right and back."""
    size, small = samples.size, samples.size // SCALE
    lines = []
    for clip in range(_FIRST, _FIRST + min(samples.count, 9)):
        side, top = small // 2, samples.random.randint(0, small // 2)
        ground = Picture.noise(samples.random, small, small)
        large_ground = samples.noise()
        for number in range(FRAMES):
            left = abs(number % small - small // 2)
            name = f"{clip:03d}/{number:08d}.png"
            for place, scale, start in (("lq", 1, ground), ("gt", SCALE, large_ground)):
                edge = small * scale
                frame = Picture(edge, edge, 3, bytearray(start.pixels))
                right, bottom = scale * (left + side), scale * (top + side)
                frame.box(scale * left, scale * top, right, bottom, colour_of(clip))
                samples.write(f"{place}/{name}", frame.png())
            lines.append(f"{name} ({size}, {size}, 3)")
    samples.write_lines("frames.txt", lines)
    for name in _FLOWS:
        empty_state(samples, f"{name}.pdparams")
