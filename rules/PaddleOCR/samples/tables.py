"""Pictures of tables and how they are built: train.txt and val.txt, a JSON object a line.

Each names its picture, the tokens of the table's HTML, and of each cell its text and its box.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from codemod.training.samples.glyphs import draw
from codemod.training.samples.pictures import Picture
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

LINE = b"\xc0\xc0\xc0"


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Two or three rows and columns a table, a head of one row, a digit in each cell."""
    random = seeded(seed)
    lines = []
    for index in range(count):
        name = f"images/{index:05d}.png"
        picture, cells, tokens = _table(random, size)
        picture.save(folder / name)
        built = {"cells": cells, "structure": {"tokens": tokens}}
        lines.append(json.dumps({"filename": name, "html": built}) + "\n")
    (folder / "train.txt").write_text("".join(lines))
    (folder / "val.txt").write_text("".join(lines[: max(1, count // 8)]))


def _table(random: Random, size: int) -> tuple[Picture, list[Any], list[str]]:
    rows, columns = random.randint(2, 3), random.randint(2, 3)
    height, width = size // rows, size // columns
    scale = max(1, min(height, width) // 8)
    picture = Picture.noise(random, size, size)
    cells: list[Any] = []
    tokens: list[str] = []
    for row in range(rows):
        picture.box(0, row * height, size, row * height + 1, LINE)
        if row < 2:
            tokens.append("<tbody>" if row else "<thead>")
        tokens.append("<tr>")
        for column in range(columns):
            left, top = column * width, row * height
            picture.box(left, top, left + 1, top + height, LINE)
            digit = random.choice("0123456789")
            wide, high = draw(picture, digit, left + scale, top + scale, scale)
            box = [left + scale, top + scale, left + scale + wide, top + scale + high]
            cells.append({"tokens": [digit], "bbox": box})
            tokens += ["<td>", "</td>"]
        tokens.append("</tr>")
        if row == 0:
            tokens.append("</thead>")
    return picture, cells, [*tokens, "</tbody>"]
