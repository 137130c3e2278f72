"""Roads with four lanes: images/ with their lines, labels/, list/train_gt.txt.

A lane is a line of `x y` pairs in `NUMBER.lines.txt` and its number from 1 in the label, as CULane
has them.
"""

from __future__ import annotations

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture, colour_of

LANES = 4


def generate(samples: Samples) -> None:
    """Lanes run from the bottom of a picture towards its middle."""
    size, listed = samples.size, []
    heights = range(size // 3, size)
    for number in range(samples.count):
        picture, label, lines = samples.noise(), Picture(size, size, 1), []
        for lane in range(LANES):
            near = (lane + samples.random.random()) / LANES
            far = 0.4 + 0.2 * (lane + samples.random.random()) / LANES
            places = []
            for y in heights:
                part = (y - heights[0]) / len(heights)
                x = int((far + (near - far) * part) * size)
                picture.box(x - 1, y, x + 2, y + 1, colour_of(lane))
                label.box(x - 1, y, x + 2, y + 1, bytes((lane + 1,)))
                places.append(f"{x} {y}")
            lines.append(" ".join(places[:: size // 16]))
        names = samples.save(number, picture), samples.save(number, label, "labels")
        samples.write_lines(f"images/{number:05d}.lines.txt", lines)
        listed.append(" ".join([*(f"/{name}" for name in names), *["1"] * LANES]))
    samples.write_lines("list/train_gt.txt", listed)
