"""The pictures and masks of `segmentation`, and weights that are none: coarse.pdparams."""

from __future__ import annotations

import pickle

from codemod.training.samples import segmentation
from codemod.training.samples.making import Samples


def generate(samples: Samples) -> None:
    """A net that reads the weights keeps its own."""
    segmentation.generate(samples)
    samples.write("coarse.pdparams", pickle.dumps({}, protocol=4))
