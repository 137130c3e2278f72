"""Pictures with text lines and their outlines: train.txt with `picture<tab>JSON` lines."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.glyphs import draw
from codemod.training.samples.pictures import Picture
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Two lines of digits a picture, one in each half."""
    random = seeded(seed)
    scale = max(2, size // 40)
    lines = []
    for index in range(count):
        picture = Picture.noise(random, size, size)
        boxes = []
        for half in range(2):
            text = "".join(random.choices("0123456789", k=4))
            left = random.randint(scale, size - 17 * scale)
            top = half * size // 2 + random.randint(scale, size // 2 - 7 * scale)
            width, height = draw(picture, text, left, top, scale)
            right, bottom = left + width, top + height
            corners = [[left, top], [right, top], [right, bottom], [left, bottom]]
            boxes.append({"transcription": text, "points": corners})
        name = f"images/{index:05d}.png"
        picture.save(folder / name)
        lines.append(f"{name}\t{json.dumps(boxes)}\n")
    (folder / "train.txt").write_text("".join(lines))
    (folder / "val.txt").write_text("".join(lines[: max(1, count // 8)]))
