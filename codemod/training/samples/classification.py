"""A folder of pictures with lists of `path label` lines: train_list.txt, val_list.txt."""

from __future__ import annotations

from codemod.training.samples.making import Samples

CLASSES = 4


def generate(samples: Samples) -> None:
    """The class of a picture is the colour of its box. Validation is an eighth of it."""
    lines = []
    for index in range(samples.count):
        name = samples.save(index, samples.boxed(index % CLASSES))
        lines.append(f"{name} {index % CLASSES}")
    samples.write_lists(lines, "train_list.txt", "val_list.txt")
    samples.write_lines("labels.txt", (f"{label} class{label}" for label in range(CLASSES)))
