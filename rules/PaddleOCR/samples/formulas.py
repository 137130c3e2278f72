"""Pictures of formulas and their symbols: train.txt and val.txt with `picture<tab>symbols` lines.

The symbols, with spaces between them, are digits, as which the kit's own list has them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.glyphs import draw
from codemod.training.samples.pictures import Picture
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Rows of four to six digits, `size` pixels high."""
    random = seeded(seed)
    scale = max(1, size // 7)
    lines = []
    for index in range(count):
        symbols = random.choices("0123456789", k=random.randint(4, 6))
        picture = Picture.noise(random, len(symbols) * 4 * scale + scale, size)
        draw(picture, "".join(symbols), scale, max(0, (size - 5 * scale) // 2), scale)
        name = f"images/{index:05d}.png"
        picture.save(folder / name)
        lines.append(f"{name}\t{' '.join(symbols)}\n")
    (folder / "train.txt").write_text("".join(lines))
    (folder / "val.txt").write_text("".join(lines[: max(1, count // 8)]))
