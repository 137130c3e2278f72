"""Frames with objects of two classes to follow, in the format of `tracks`.

The identities of a class count from one: PaddleDetection takes the greatest for their number.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

from .tracks import frames

CLASSES = 2
# With less its loss is nothing: it scales what it compares by the logarithm of one less.
OBJECTS = 3


def generate(samples: Samples) -> None:
    """Two boxes a frame; class and identity are the colour."""
    every = [(label, number + 1) for label in range(CLASSES) for number in range(OBJECTS)]
    frames(samples, every)
