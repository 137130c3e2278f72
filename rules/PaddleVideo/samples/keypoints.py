"""A person's keypoints in a plane: data.npy of N x 2 x T x 17 x 1 floats, label.npy of N."""

from __future__ import annotations

from codemod.training.samples.making import Samples

from . import skeletons

CHANNELS, JOINTS = 2, 17
CLASSES = 2


def generate(samples: Samples) -> None:
    """Sequences as those of skeletons, of one person and without a depth."""
    skeletons.write(samples, (CHANNELS, samples.size, JOINTS, 1), CLASSES)
