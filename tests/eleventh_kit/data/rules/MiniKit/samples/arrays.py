"""Pictures and labels as MiniKit's trainer reads them: pictures.npy, labels.npy."""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.npy import npy

CLASSES = 5


def generate(samples: Samples) -> None:
    """Pictures of noise, each with one of five labels."""
    count, size, random = samples.count, samples.size, samples.random
    numbers = [random.random() for _ in range(count * 3 * size * size)]
    samples.write("pictures.npy", npy(numbers, (count, 3, size, size), "<f4"))
    labels = [random.randrange(CLASSES) for _ in range(count)]
    samples.write("labels.npy", npy(labels, (count,), "<i8"))
