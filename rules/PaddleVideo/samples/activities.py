"""Videos as features of `size` moments, with the parts in which something happens.

`annotations.json` says of each video when, in seconds; its features are `features/NAME.npy`, of
moments x DIMENSIONS.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples
from codemod.training.samples.npy import npy

DIMENSIONS = 400  # what the net of BMN takes


def generate(samples: Samples) -> None:
    """Two parts a video, one in each half, of a quarter of it at the most; a second a moment."""
    random, size = samples.random, samples.size
    listed = {}
    for number in range(samples.count):
        parts = []
        for half in (0, size // 2):
            length = random.randint(2, size // 4)
            start = half + random.randint(0, size // 2 - length)
            parts.append((start, start + length))
        inside = [any(start <= moment < end for start, end in parts) for moment in range(size)]
        values = [random.gauss(float(told), 0.5) for told in inside for _ in range(DIMENSIONS)]
        name = f"video{number:03d}"
        samples.write(f"features/{name}.npy", npy(values, (size, DIMENSIONS), "<f4"))
        listed[name] = {
            "subset": "train",
            "duration_second": float(size),
            "annotations": [
                {"segment": [float(at) for at in part], "label": "a"} for part in parts
            ],
        }
    samples.write("annotations.json", json.dumps(listed))
