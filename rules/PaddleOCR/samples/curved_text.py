"""Pictures with text lines in outlines of many corners: train.txt with `picture<tab>JSON` lines.

In flat.txt the corners' numbers stand one after the other, as some readers take them.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples

from .pages import two_lines

CORNERS = 7  # along the top of a line, and as many along its bottom


def generate(samples: Samples) -> None:
    """Two lines of digits a picture, one in each half, as broad as it has room for."""
    lines, flat = [], []
    for index in range(samples.count):
        picture = samples.noise()
        marks, flattened = [], []
        found = two_lines(samples, picture, max(2, samples.size // 24))
        for text, (left, top, right, bottom) in found:
            across = [left + (right - left) * corner // (CORNERS - 1) for corner in range(CORNERS)]
            points = [[x, top] for x in across] + [[x, bottom] for x in reversed(across)]
            marks.append({"transcription": text, "points": points})
            numbers = [number for point in points for number in point]
            flattened.append({"transcription": text, "points": numbers})
        name = samples.save(index, picture)
        lines.append(f"{name}\t{json.dumps(marks)}")
        flat.append(f"{name}\t{json.dumps(flattened)}")
    samples.write_lists(lines)
    samples.write_lines("flat.txt", flat)
