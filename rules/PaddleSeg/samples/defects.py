"""Pictures of faultless bottles, named as the MVTec set for anomaly detection names them.

Training reads `bottle/train/good/NAME.png` alone.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples


def generate(samples: Samples) -> None:
    """Each picture has one box."""
    for index in range(samples.count):
        samples.write(f"bottle/train/good/{index:03d}.png", samples.boxed(index % 5).png())
