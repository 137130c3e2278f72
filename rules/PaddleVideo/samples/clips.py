"""Clips as folders of frames, with lists of `folder frames label` lines: train.list, val.list."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

FRAMES = 12
CLASSES = 4


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """A box moves; its direction is the class. Frames are named img_00001.jpg as kits want."""
    random = seeded(seed)
    lines = []
    for index in range(count):
        label = index % CLASSES
        step = ((1, 0), (-1, 0), (0, 1), (0, -1))[label]
        name = f"clips/{index:05d}"
        for frame in range(FRAMES):
            picture = Picture.noise(random, size, size)
            left = size // 3 + step[0] * frame * size // 40
            top = size // 3 + step[1] * frame * size // 40
            picture.box(left, top, left + size // 4, top + size // 4, colour_of(index))
            # Readers go by the content, not by the name's ending.
            picture.save(folder / name / f"img_{frame + 1:05d}.jpg")
        lines.append(f"{name} {FRAMES} {label}\n")
    (folder / "train.list").write_text("".join(lines))
    (folder / "val.list").write_text("".join(lines[: max(1, count // 8)]))
