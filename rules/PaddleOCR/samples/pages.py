"""Pages with lines of digits in boxes."""

from __future__ import annotations

from codemod.training.samples.glyphs import draw
from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Box, Picture


def two_lines(samples: Samples, picture: Picture, scale: int) -> list[tuple[str, Box]]:
    """Write a line of four digits into each half of a picture; their texts and boxes."""
    size, found = samples.size, []
    for half in range(2):
        text = samples.digits(4)
        left = samples.random.randint(scale, size - 17 * scale)
        top = half * size // 2 + samples.random.randint(scale, size // 2 - 7 * scale)
        found.append((text, written(picture, text, left, top, scale)))
    return found


def written(picture: Picture, text: str, left: int, top: int, scale: int) -> Box:
    """Write digits into a picture; the box around them."""
    width, height = draw(picture, text, left, top, scale)
    return left, top, left + width, top + height


def corners(box: Box) -> list[list[int]]:
    """A box by its corners, clockwise from the first."""
    left, top, right, bottom = box
    return [[left, top], [right, top], [right, bottom], [left, bottom]]
