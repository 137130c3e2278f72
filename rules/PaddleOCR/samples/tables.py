"""Pictures of tables and how they are built: train.txt and val.txt, a JSON object a line.

Each names its picture, the tokens of the table's HTML, and of each cell its text and its box.
"""

from __future__ import annotations

import json
from typing import Any

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture

from .pages import written

LINE = b"\xc0\xc0\xc0"


def generate(samples: Samples) -> None:
    """Two or three rows and columns a table, a head of one row, a digit in each cell."""
    lines = []
    for index in range(samples.count):
        picture, cells, tokens = _table(samples)
        built = {"cells": cells, "structure": {"tokens": tokens}}
        lines.append(json.dumps({"filename": samples.save(index, picture), "html": built}))
    samples.write_lists(lines)


def _table(samples: Samples) -> tuple[Picture, list[Any], list[str]]:
    random, size = samples.random, samples.size
    rows, columns = random.randint(2, 3), random.randint(2, 3)
    height, width = size // rows, size // columns
    scale = max(1, min(height, width) // 8)
    picture = samples.noise()
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
            box = written(picture, digit, left + scale, top + scale, scale)
            cells.append({"tokens": [digit], "bbox": box})
            tokens += ["<td>", "</td>"]
        tokens.append("</tr>")
        if row == 0:
            tokens.append("</thead>")
    return picture, cells, [*tokens, "</tbody>"]
