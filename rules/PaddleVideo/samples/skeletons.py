"""Skeleton sequences: data.npy of N x C x T x V x M floats, label.npy of N integers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.training.samples.npy import save_npy
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

CHANNELS, JOINTS, PEOPLE = 3, 25, 2
CLASSES = 4


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """`size` frames a sequence; the mean of a sequence tells its class."""
    random = seeded(seed)
    labels = [index % CLASSES for index in range(count)]
    per = CHANNELS * size * JOINTS * PEOPLE
    values = [random.gauss(label / CLASSES, 0.5) for label in labels for _ in range(per)]
    save_npy(folder / "data.npy", values, (count, CHANNELS, size, JOINTS, PEOPLE), "<f4")
    save_npy(folder / "label.npy", labels, (count,), "<i8")
