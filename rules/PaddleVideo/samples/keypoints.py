"""A person's keypoints in a plane: data.npy of N x 2 x T x 17 x 1 floats, label.npy of N."""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.npy import npy

CHANNELS, JOINTS = 2, 17
CLASSES = 2


def generate(samples: Samples) -> None:
    """`size` frames a sequence; the mean of a sequence tells its class."""
    count, size = samples.count, samples.size
    labels = [index % CLASSES for index in range(count)]
    per = CHANNELS * size * JOINTS
    values = [samples.random.gauss(label / CLASSES, 0.5) for label in labels for _ in range(per)]
    samples.write("data.npy", npy(values, (count, CHANNELS, size, JOINTS, 1), "<f4"))
    samples.write("label.npy", npy(labels, (count,), "<i8"))
