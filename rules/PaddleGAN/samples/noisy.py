"""Pictures with noise and without, in the folders of two readers.

input/ and target/ hold the noisy and the clean ones, Noisy/, GT/ and LQ/ the same and a quarter.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import colour_of

from .quarters import with_quarter


def generate(samples: Samples) -> None:
    """A box on noise, and the same box on nothing."""
    for index in range(samples.count):
        box = samples.box()
        clean, quarter = with_quarter(samples.size, box, colour_of(index))
        noisy = samples.noise()
        noisy.box(*box, colour_of(index))
        samples.save(index, clean, "target", "GT")
        samples.save(index, noisy, "input", "Noisy")
        samples.save(index, quarter, "LQ")
