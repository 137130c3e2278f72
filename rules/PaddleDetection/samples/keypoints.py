"""People as boxes with seventeen key points, in COCO's format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from codemod.training.samples.coco import annotation, write
from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

POINTS = 17


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """One person a picture; each key point is a bright spot within the box."""
    random = seeded(seed)
    pictures: list[Any] = []
    marks: list[Any] = []
    for index in range(count):
        picture = Picture.noise(random, size, size)
        box = random_box(random, size)
        picture.box(*box, colour_of(0))
        points: list[int] = []
        for number in range(POINTS):
            x, y = random.randint(box[0], box[2] - 1), random.randint(box[1], box[3] - 1)
            picture.box(x - 1, y - 1, x + 1, y + 1, colour_of(number + 1))
            points += [x, y, 2]
        mark = annotation(index + 1, index + 1, 0, box)
        marks.append({**mark, "keypoints": points, "num_keypoints": POINTS})
        name = f"{index:05d}.png"
        picture.save(folder / "images" / name)
        pictures.append({"id": index + 1, "file_name": name, "width": size, "height": size})
    person = {"id": 1, "name": "person", "keypoints": [f"point{i}" for i in range(POINTS)]}
    write(folder, pictures, marks, [{**person, "skeleton": []}])
