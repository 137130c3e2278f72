"""Pictures side by side for paired translation, and halves for super-resolution.

train/ and test/ hold A and B in one picture; hq/ and lq/ hold a picture and its quarter, and
noisy/ holds it with noise added.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture, colour_of

from .quarters import with_quarter


def generate(samples: Samples) -> None:
    """The right half has the left half's box in another colour."""
    size = samples.size
    for index in range(samples.count):
        picture = Picture.noise(samples.random, 2 * size, size)
        box = left, top, right, bottom = samples.box()
        picture.box(*box, colour_of(1))
        picture.box(left + size, top, right + size, bottom, colour_of(6))
        samples.save(index, picture, *samples.parts(index, "train", "test"))
        large, small = with_quarter(size, box, colour_of(index))
        noisy = samples.noise()
        noisy.box(*box, colour_of(index))
        samples.save(index, large, "hq")
        samples.save(index, small, "lq")
        samples.save(index, noisy, "noisy")
