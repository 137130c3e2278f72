"""The pictures and masks of `segmentation`, and weights that are none: coarse.pdparams."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

from codemod.training.samples import segmentation

if TYPE_CHECKING:
    from pathlib import Path


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """A net that reads the weights keeps its own."""
    segmentation.generate(folder, count, size, seed)
    (folder / "coarse.pdparams").write_bytes(pickle.dumps({}, protocol=4))
