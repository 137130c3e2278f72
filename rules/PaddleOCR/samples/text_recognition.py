"""Cut-out text lines and their texts: train.txt and val.txt with `picture<tab>text` lines.

turned.txt says of upright and upside-down pictures which is which: `picture<tab>0` or `180`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.glyphs import draw
from codemod.training.samples.pictures import Picture
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Lines of four to six digits, `size` pixels high; `dict.txt` lists the characters."""
    random = seeded(seed)
    scale = max(1, size // 7)
    lines, turned = [], []
    for index in range(count):
        text = "".join(random.choices("0123456789", k=random.randint(4, 6)))
        picture = Picture.noise(random, len(text) * 4 * scale + scale, size)
        draw(picture, text, scale, max(0, (size - 5 * scale) // 2), scale)
        name = f"images/{index:05d}.png"
        picture.save(folder / name)
        lines.append(f"{name}\t{text}\n")
        picture.upside_down().save(folder / "turned" / f"{index:05d}.png")
        turned += [f"{name}\t0\n", f"turned/{index:05d}.png\t180\n"]
    (folder / "train.txt").write_text("".join(lines))
    (folder / "val.txt").write_text("".join(lines[: max(1, count // 8)]))
    (folder / "turned.txt").write_text("".join(turned))
    (folder / "dict.txt").write_text("".join(f"{digit}\n" for digit in "0123456789"))
