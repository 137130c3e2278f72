"""Pictures, and masks of the holes to be filled in them: train_img, train_mask, val_img, val_mask.

home/ stands for the user's: there lie weights that the kit would fetch.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture

from .weights import empty_state


def generate(samples: Samples) -> None:
    """A box of a picture is coloured, a box of its mask is white."""
    for index in range(samples.count):
        picture, mask = samples.boxed(index), Picture(samples.size, samples.size, 1)
        mask.box(*samples.box(), b"\xff")
        samples.save(index, picture, *samples.parts(index, "train_img", "val_img"))
        samples.save(index, mask, *samples.parts(index, "train_mask", "val_mask"))
    empty_state(samples, "vgg19feats.pdparams")
