"""Tables, and the weights that PPLCNetV2 reads whatever it is told: the file holds none.

It lies where Paddle keeps what it has fetched, below home/, and the net keeps those that it was
made with.
"""

from __future__ import annotations

import pickle

from codemod.training.samples.making import Samples

from . import tables

WEIGHTS = "home/.paddleclas/weights/PPLCNetV2_base_ssld_pretrained.pdparams"


def generate(samples: Samples) -> None:
    """The same pictures and lists as those of the tables."""
    tables.generate(samples)
    samples.write(WEIGHTS, pickle.dumps({}, protocol=4))
