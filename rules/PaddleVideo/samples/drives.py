"""Frames of drives by day, and the same by night: train.txt names those that have one on each side.

They lie at `day_train_all/NUMBER.png` and `day_train_all_fake_night/NUMBER.png`, of ten digits.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture, colour_of

DAY = "day_train_all"
NIGHT = f"{DAY}_fake_night"


def generate(samples: Samples) -> None:
    """Boxes come nearer from frame to frame; frames are twice as broad as `size`, their height."""
    random, size = samples.random, samples.size
    for number in range(samples.count + 2):
        start = random.getstate()
        for name, dim in ((DAY, 1), (NIGHT, 3)):
            random.setstate(start)
            frame = Picture.noise(random, 2 * size, size)
            half = size // 8 + number % 8 * size // 32
            colour = bytes(value // dim for value in colour_of(number // 8))
            frame.box(size - half, size // 2 - half, size + half, size // 2 + half, colour)
            samples.write(f"{name}/{number:010d}.png", frame.png())
    inner = range(1, samples.count + 1)
    samples.write_lines("train.txt", (f"{DAY}/{number:010d}" for number in inner))
