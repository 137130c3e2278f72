"""Digits as bitmaps, to write text into pictures without any font."""

from __future__ import annotations

from codemod.training.samples.pictures import Picture

# Five rows of three bits, top to bottom.
_DIGITS = {
    "0": (7, 5, 5, 5, 7),
    "1": (2, 6, 2, 2, 7),
    "2": (7, 1, 7, 4, 7),
    "3": (7, 1, 7, 1, 7),
    "4": (5, 5, 7, 1, 1),
    "5": (7, 4, 7, 1, 7),
    "6": (7, 4, 7, 5, 7),
    "7": (7, 1, 2, 2, 2),
    "8": (7, 5, 7, 5, 7),
    "9": (7, 5, 7, 1, 7),
}


def draw(picture: Picture, text: str, left: int, top: int, scale: int) -> tuple[int, int]:
    """Write digits from (left, top), each dot `scale` pixels; returns width and height."""
    for place, digit in enumerate(text):
        for y, bits in enumerate(_DIGITS[digit]):
            for x in range(3):
                if bits >> (2 - x) & 1:
                    start = left + (place * 4 + x) * scale
                    line = top + y * scale
                    picture.box(start, line, start + scale, line + scale, b"\xf0\xf0\xf0")
    return (len(text) * 4 - 1) * scale, 5 * scale
