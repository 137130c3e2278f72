"""Pictures with text lines in outlines of many corners: train.txt with `picture<tab>JSON` lines.

In flat.txt the corners' numbers stand one after the other, as some readers take them.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.glyphs import draw
from codemod.training.samples.pictures import Picture
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

CORNERS = 7  # along the top of a line, and as many along its bottom


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Two lines of digits a picture, one in each half, as broad as it has room for."""
    random = seeded(seed)
    scale = max(2, size // 24)
    lines, flat = [], []
    for index in range(count):
        picture = Picture.noise(random, size, size)
        marks, flattened = [], []
        for half in range(2):
            text = "".join(random.choices("0123456789", k=4))
            left = random.randint(scale, size - 17 * scale)
            top = half * size // 2 + random.randint(scale, size // 2 - 7 * scale)
            width, height = draw(picture, text, left, top, scale)
            across = [left + width * corner // (CORNERS - 1) for corner in range(CORNERS)]
            points = [[x, top] for x in across] + [[x, top + height] for x in reversed(across)]
            marks.append({"transcription": text, "points": points})
            numbers = [number for point in points for number in point]
            flattened.append({"transcription": text, "points": numbers})
        name = f"images/{index:05d}.png"
        picture.save(folder / name)
        lines.append(f"{name}\t{json.dumps(marks)}\n")
        flat.append(f"{name}\t{json.dumps(flattened)}\n")
    (folder / "train.txt").write_text("".join(lines))
    (folder / "flat.txt").write_text("".join(flat))
    (folder / "val.txt").write_text("".join(lines[: max(1, count // 8)]))
