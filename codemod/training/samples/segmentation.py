"""Pictures with masks of class numbers, and lists of `picture mask` lines: train.txt, val.txt."""

from __future__ import annotations

from pathlib import Path

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

CLASSES = 2


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Each picture has one box; the mask has class 1 there and 0 elsewhere."""
    random = seeded(seed)
    lines = []
    for index in range(count):
        picture, mask = Picture.noise(random, size, size), Picture(size, size, 1)
        box = random_box(random, size)
        picture.box(*box, colour_of(index % 5))
        mask.box(*box, bytes([CLASSES - 1]))
        name = f"{index:05d}.png"
        picture.save(folder / "images" / name)
        mask.save(folder / "labels" / name)
        lines.append(f"images/{name} labels/{name}\n")
    (folder / "train.txt").write_text("".join(lines))
    (folder / "val.txt").write_text("".join(lines[: max(1, count // 8)]))
