"""Two kinds of pictures for unpaired translation: trainA, trainB, testA, testB."""

from __future__ import annotations

from codemod.training.samples.making import Samples


def generate(samples: Samples) -> None:
    """Boxes of one colour in A, of another in B."""
    for side, colour in (("A", 1), ("B", 6)):
        for index in range(samples.count):
            parts = samples.parts(index, f"train{side}", f"test{side}")
            samples.save(index, samples.boxed(colour), *parts)
