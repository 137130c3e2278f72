"""Clips as folders of numbered frames, in train/ and test/: a box moves from frame to frame.

home/ stands for the user's: there lie weights that the kit would fetch.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import colour_of

from .weights import empty_state

FRAMES = 6


def generate(samples: Samples) -> None:
    """`count` clips of six frames in train/, an eighth of them in test/ too."""
    random, size = samples.random, samples.size
    for index in range(samples.count):
        side = random.randint(size // 4, size // 2)
        top, step = random.randint(0, size - side), (size - side) // FRAMES
        for number in range(FRAMES):
            frame = samples.noise()
            left = step * number
            frame.box(left, top, left + side, top + side, colour_of(index))
            for part in samples.parts(index, "train", "test"):
                samples.write(f"{part}/clip{index:03d}/{number}.png", frame.png())
    empty_state(samples, "vgg19.pdparams")
    empty_state(samples, "vox-cpk.pdparams", ("kp_detector", "generator"))
