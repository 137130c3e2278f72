"""People as boxes with their hands' twenty-one key points, in the format of COCO-WholeBody."""

from __future__ import annotations

from typing import Any

from codemod.training.samples.detection import annotation, write
from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import colour_of

from .keypoints import spots

POINTS = 21


def generate(samples: Samples) -> None:
    """Two hands a picture; each key point is a bright spot within the hand's box."""
    pictures, marks = [], []
    for number in range(1, samples.count + 1):
        picture, size = samples.noise(), samples.size
        mark: dict[str, Any] = annotation(number, number, 0, (0, 0, size, size))
        for side in ("left", "right"):
            left, top, right, bottom = box = samples.box()
            picture.box(*box, colour_of(0))
            points = [value for x, y in spots(samples, picture, box, POINTS) for value in (x, y, 2)]
            mark[f"{side}hand_valid"] = True
            mark[f"{side}hand_box"] = [left, top, right - left, bottom - top]
            mark[f"{side}hand_kpts"] = points
        pictures.append(picture)
        marks.append(mark)
    write(samples, pictures, marks, [{"id": 1, "name": "person"}])
