"""Pictures with masks of class numbers, and lists of `picture mask` lines: train.txt, val.txt."""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture, colour_of

CLASSES = 2


def generate(samples: Samples) -> None:
    """Each picture has one box; the mask has class 1 there and 0 elsewhere."""
    lines = []
    for index in range(samples.count):
        picture, mask = samples.noise(), Picture(samples.size, samples.size, 1)
        box = samples.box()
        picture.box(*box, colour_of(index % 5))
        mask.box(*box, bytes([CLASSES - 1]))
        lines.append(f"{samples.save(index, picture)} {samples.save(index, mask, 'labels')}")
    samples.write_lists(lines)
