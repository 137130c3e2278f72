"""Pictures to paint in the style of another: content/, and style.png.

home/ stands for the user's: there lie weights that the kit would fetch.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import colour_of

from .weights import empty_state

STRIPES = 8


def generate(samples: Samples) -> None:
    """A box of a picture is coloured; the style is stripes of all colours."""
    size = samples.size
    for index in range(samples.count):
        samples.save(index, samples.boxed(index), "content")
    style = samples.noise()
    for stripe in range(0, STRIPES, 2):
        left = stripe * size // STRIPES
        style.box(left, 0, left + size // STRIPES, size, colour_of(stripe))
    samples.write("style.png", style.png())
    empty_state(samples, "vgg_normalised.pdparams")
