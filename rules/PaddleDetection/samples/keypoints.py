"""People as boxes with seventeen key points, in COCO's format."""

from __future__ import annotations

from codemod.training.samples.detection import annotation, write
from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Box, Picture, colour_of

POINTS = 17


def spots(samples: Samples, picture: Picture, box: Box, count: int) -> list[tuple[int, int]]:
    """So many bright spots of different colours within the box; their places."""
    draw, places = samples.random.randint, []
    for point in range(count):
        x, y = draw(box[0], box[2] - 1), draw(box[1], box[3] - 1)
        picture.box(x - 1, y - 1, x + 1, y + 1, colour_of(point + 1))
        places.append((x, y))
    return places


def generate(samples: Samples) -> None:
    """One person a picture; each key point is a bright spot within the box."""
    pictures, marks = [], []
    for number in range(1, samples.count + 1):
        picture, box = samples.noise(), samples.box()
        picture.box(*box, colour_of(0))
        points = [value for x, y in spots(samples, picture, box, POINTS) for value in (x, y, 2)]
        mark = annotation(number, number, 0, box)
        marks.append({**mark, "keypoints": points, "num_keypoints": POINTS})
        pictures.append(picture)
    person = {"id": 1, "name": "person", "keypoints": [f"point{i}" for i in range(POINTS)]}
    write(samples, pictures, marks, [{**person, "skeleton": []}])
