"""Skeleton sequences: data.npy of N x C x T x V x M floats, label.npy of N integers."""

from __future__ import annotations

import math

from codemod.training.samples.making import Samples
from codemod.training.samples.npy import npy

CHANNELS, JOINTS, PEOPLE = 3, 25, 2
CLASSES = 4


def generate(samples: Samples) -> None:
    """`size` frames a sequence; the mean of a sequence tells its class."""
    write(samples, (CHANNELS, samples.size, JOINTS, PEOPLE), CLASSES)


def write(samples: Samples, shape: tuple[int, int, int, int], classes: int) -> None:
    """Sequences of this shape, channels x frames x joints x people, and their classes."""
    labels = [index % classes for index in range(samples.count)]
    per = math.prod(shape)
    values = [samples.random.gauss(label / classes, 0.5) for label in labels for _ in range(per)]
    samples.write("data.npy", npy(values, (samples.count, *shape), "<f4"))
    samples.write("label.npy", npy(labels, (samples.count,), "<i8"))
