"""Frames with people to follow: images/, labels_with_ids/, image_lists/own.train.

A label line is `class identity x y width height`: the box's centre and size, relative to the
picture, as PaddleDetection's trackers read them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

PEOPLE = 4


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Two boxes a frame; the identity is the colour."""
    random = seeded(seed)
    for name in ("labels_with_ids", "image_lists"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    names = []
    for index in range(count):
        picture = Picture.noise(random, size, size)
        lines = []
        for identity in random.sample(range(PEOPLE), 2):
            left, top, right, bottom = random_box(random, size)
            picture.box(left, top, right, bottom, colour_of(identity))
            middle = ((left + right) / 2 / size, (top + bottom) / 2 / size)
            extent = ((right - left) / size, (bottom - top) / size)
            numbers = " ".join(f"{number:.6f}" for number in (*middle, *extent))
            lines.append(f"0 {identity} {numbers}\n")
        names.append(f"images/{index:05d}.png")
        picture.save(folder / names[-1])
        (folder / "labels_with_ids" / f"{index:05d}.txt").write_text("".join(lines))
    (folder / "image_lists" / "own.train").write_text("".join(f"{name}\n" for name in names))
