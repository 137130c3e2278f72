"""Videos as features of `size` moments, with the parts in which something happens.

`annotations.json` says of each video when, in seconds; its features are `features/NAME.npy`, of
moments x DIMENSIONS.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.npy import save_npy
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

DIMENSIONS = 400  # what the net of BMN takes


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Two parts a video, one in each half, of a quarter of it at the most; a second a moment."""
    random = seeded(seed)
    listed = {}
    for number in range(count):
        parts = []
        for half in (0, size // 2):
            length = random.randint(2, size // 4)
            start = half + random.randint(0, size // 2 - length)
            parts.append((start, start + length))
        inside = [any(start <= moment < end for start, end in parts) for moment in range(size)]
        values = [random.gauss(float(told), 0.5) for told in inside for _ in range(DIMENSIONS)]
        name = f"video{number:03d}"
        save_npy(folder / "features" / f"{name}.npy", values, (size, DIMENSIONS), "<f4")
        listed[name] = {
            "subset": "train",
            "duration_second": float(size),
            "annotations": [
                {"segment": [float(at) for at in part], "label": "a"} for part in parts
            ],
        }
    (folder / "annotations.json").write_text(json.dumps(listed))
