"""Foregrounds with their opacity, backgrounds, and trimaps, as PaddleSeg's matting reads them.

`train.txt` has lines `train/fg/NAME bg/NAME`, the opacity lies at `train/alpha/NAME`; a line of
`val.txt` names a trimap too (0 outside, 255 inside, 128 in between).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

SOFT = 4  # pixels from opaque to clear


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Each foreground has one box with a soft edge; an eighth of them is for evaluation too."""
    random = seeded(seed)
    train, val = [], []
    for index in range(count):
        front, back = Picture.noise(random, size, size), Picture.noise(random, size, size, 250)
        alpha, trimap = Picture(size, size, 1), Picture(size, size, 1)
        left, top, right, bottom = random_box(random, size)
        front.box(left, top, right, bottom, colour_of(index % 5))
        for edge in range(SOFT + 1):
            within = (left + edge, top + edge, right - edge, bottom - edge)
            alpha.box(*within, bytes([255 * (edge + 1) // (SOFT + 1)]))
            trimap.box(*within, bytes([255 if edge == SOFT else 128]))
        name = f"{index:05d}.png"
        back.save(folder / "bg" / name)
        train.append(f"train/fg/{name} bg/{name}\n")
        parts = ["train"]
        if index < max(1, count // 8):
            parts.append("val")
            trimap.save(folder / "val" / "trimap" / name)
            val.append(f"val/fg/{name} bg/{name} val/trimap/{name}\n")
        for part in parts:
            front.save(folder / part / "fg" / name)
            alpha.save(folder / part / "alpha" / name)
    (folder / "train.txt").write_text("".join(train))
    (folder / "val.txt").write_text("".join(val))
