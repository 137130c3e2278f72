"""Pictures of three kinds in folders of their names: train/ and val/ with cat, dog and wild.

home/ stands for the user's: there lie weights that the kit would fetch.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples

from .weights import empty_state

KINDS = ("cat", "dog", "wild")


def generate(samples: Samples) -> None:
    """`count` pictures of each kind, told apart by the colour of their boxes."""
    for number, kind in enumerate(KINDS):
        for index in range(samples.count):
            parts = samples.parts(index, f"train/{kind}", f"val/{kind}")
            samples.save(index, samples.boxed(number), *parts)
    empty_state(samples, "model_ir_se50.pdparams")
