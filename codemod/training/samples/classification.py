"""A folder of pictures with lists of `path label` lines: train_list.txt, val_list.txt."""

from __future__ import annotations

from pathlib import Path

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

CLASSES = 4


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """The class of a picture is the colour of its box. Validation is an eighth of it."""
    random = seeded(seed)
    lines = []
    for index in range(count):
        label = index % CLASSES
        picture = Picture.noise(random, size, size)
        picture.box(*random_box(random, size), colour_of(label))
        name = f"images/{index:05d}.png"
        picture.save(folder / name)
        lines.append(f"{name} {label}\n")
    (folder / "train_list.txt").write_text("".join(lines))
    (folder / "val_list.txt").write_text("".join(lines[: max(1, count // 8)]))
    (folder / "labels.txt").write_text(
        "".join(f"{label} class{label}\n" for label in range(CLASSES))
    )
