"""Photographs, drawings, and drawings without edges: train_photo, Hayao/style, Hayao/smooth.

home/ stands for the user's: there lie the weights of the net that compares pictures.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import colour_of

from .weights import vgg_without_head

STYLE = "Hayao"


def generate(samples: Samples) -> None:
    """Boxes of one colour on noise, of another on grey; the smooth ones are paler."""
    for index in range(samples.count):
        parts = samples.parts(index, "train_photo", "test/test_photo")
        samples.save(index, samples.boxed(1), *parts)
        box = samples.box()
        for kind, low in (("style", 90), ("smooth", 30)):
            drawn = samples.noise(low)
            drawn.box(*box, colour_of(6))
            samples.save(index, drawn, f"{STYLE}/{kind}")
    vgg_without_head(samples, "vgg19_no_fc.npy")
