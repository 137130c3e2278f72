"""Frames with people to follow: images/, labels_with_ids/, image_lists/own.train.

A label line is `class identity x y width height`: the box's centre and size, relative to the
picture, as PaddleDetection's trackers read them.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import colour_of

PEOPLE = 4


def generate(samples: Samples) -> None:
    """Two people a frame; the identity is the colour."""
    frames(samples, [(0, identity) for identity in range(PEOPLE)])


def frames(samples: Samples, followed: list[tuple[int, int]]) -> None:
    """Two boxes a frame, of a class and an identity each; which of these it is is the colour."""
    size, names = samples.size, []
    for index in range(samples.count):
        picture, lines = samples.noise(), []
        for number in samples.random.sample(range(len(followed)), 2):
            left, top, right, bottom = samples.box()
            picture.box(left, top, right, bottom, colour_of(number))
            middle = ((left + right) / 2 / size, (top + bottom) / 2 / size)
            extent = ((right - left) / size, (bottom - top) / size)
            label, identity = followed[number]
            numbers = " ".join(f"{value:.6f}" for value in (*middle, *extent))
            lines.append(f"{label} {identity} {numbers}")
        names.append(samples.save(index, picture))
        samples.write_lines(f"labels_with_ids/{index:05d}.txt", lines)
    samples.write_lines("image_lists/own.train", names)
