"""Skeleton sequences: data.npy of N x C x T x V x M floats, label.npy of N integers."""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.npy import npy

CHANNELS, JOINTS, PEOPLE = 3, 25, 2
CLASSES = 4


def generate(samples: Samples) -> None:
    """`size` frames a sequence; the mean of a sequence tells its class."""
    count, size = samples.count, samples.size
    labels = [index % CLASSES for index in range(count)]
    per = CHANNELS * size * JOINTS * PEOPLE
    values = [samples.random.gauss(label / CLASSES, 0.5) for label in labels for _ in range(per)]
    samples.write("data.npy", npy(values, (count, CHANNELS, size, JOINTS, PEOPLE), "<f4"))
    samples.write("label.npy", npy(labels, (count,), "<i8"))
