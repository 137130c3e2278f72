"""A picture and its quarter, for super-resolution."""

from __future__ import annotations

from codemod.training.samples.pictures import Box, Picture

SCALE = 4


def with_quarter(size: int, box: Box, colour: bytes) -> tuple[Picture, Picture]:
    """A square picture of one box on nothing, and the same at a quarter of its size."""
    large, small = Picture(size, size), Picture(size // SCALE, size // SCALE)
    large.box(*box, colour)
    left, top, right, bottom = (side // SCALE for side in box)
    small.box(left, top, right, bottom, colour)
    return large, small
