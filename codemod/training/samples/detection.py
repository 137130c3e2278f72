"""Pictures with boxes in COCO's format: annotations/train.json and val.json beside images/."""

from __future__ import annotations

import json
from typing import Any

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Box, Picture, colour_of

CLASSES = 4


def annotation(number: int, picture: int, label: int, box: Box) -> dict[str, Any]:
    """One annotation with box, area and the box's outline as segmentation."""
    left, top, right, bottom = box
    return {
        "id": number,
        "image_id": picture,
        "category_id": label + 1,
        "bbox": [left, top, right - left, bottom - top],
        "area": (right - left) * (bottom - top),
        "iscrowd": 0,
        "segmentation": [[left, top, right, top, right, bottom, left, bottom]],
    }


def write(
    samples: Samples, pictures: list[Picture], marks: list[Any], categories: list[Any]
) -> None:
    """Write the pictures, the lists for training and an eighth of them for validation."""
    listed = []
    for number, picture in enumerate(pictures):
        name = samples.save(number, picture).rpartition("/")[2]
        size = {"width": picture.width, "height": picture.height}
        listed.append({"id": number + 1, "file_name": name, **size})
    for name, part in (("train", listed), ("val", listed[: max(1, len(listed) // 8)])):
        kept = [mark for mark in marks if mark["image_id"] <= len(part)]
        content = {"images": part, "annotations": kept, "categories": categories}
        samples.write(f"annotations/{name}.json", json.dumps(content))


def generate(samples: Samples) -> None:
    """Two boxes a picture; the class is the colour, and so is who it is to a tracker."""
    pictures: list[Picture] = []
    marks: list[Any] = []
    for number in range(1, samples.count + 1):
        picture = samples.noise()
        for label in samples.random.sample(range(CLASSES), 2):
            box = samples.box()
            picture.box(*box, colour_of(label))
            mark = annotation(len(marks) + 1, number, label, box)
            marks.append({**mark, "track_id": label})
        pictures.append(picture)
    names = [{"id": label + 1, "name": f"class{label}"} for label in range(CLASSES)]
    write(samples, pictures, marks, names)
