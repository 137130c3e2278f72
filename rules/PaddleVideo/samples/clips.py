"""Clips as folders of frames, with lists of `folder frames label` lines: train.list, val.list."""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture, colour_of

FRAMES = 12
CLASSES = 4


def generate(samples: Samples) -> None:
    """A box moves; its direction is the class. Frames are named img_00001.jpg as kits want."""
    lines = []
    for index in range(samples.count):
        name = f"clips/{index:05d}"
        for number, frame in enumerate(moving(samples, index, FRAMES, 40), 1):
            # Readers go by the content, not by the name's ending.
            samples.write(f"{name}/img_{number:05d}.jpg", frame.png())
        lines.append(f"{name} {FRAMES} {index % CLASSES}")
    samples.write_lists(lines, "train.list", "val.list")


def moving(samples: Samples, index: int, frames: int, steps: int) -> list[Picture]:
    """Pictures in which a box moves by one of so many `steps` through them; its class is where."""
    across, down = ((1, 0), (-1, 0), (0, 1), (0, -1))[index % CLASSES]
    size, found = samples.size, []
    for frame in range(frames):
        picture = samples.noise()
        left = size // 3 + across * frame * size // steps
        top = size // 3 + down * frame * size // steps
        picture.box(left, top, left + size // 4, top + size // 4, colour_of(index))
        found.append(picture)
    return found
