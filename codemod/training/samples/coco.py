"""Pictures with boxes in COCO's format: annotations/train.json and val.json beside images/."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

CLASSES = 4


def annotation(
    number: int, picture: int, label: int, box: tuple[int, int, int, int]
) -> dict[str, Any]:
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


def write(folder: Path, pictures: list[Any], marks: list[Any], categories: list[Any]) -> None:
    """Write the lists for training and an eighth of them for validation."""
    target = folder / "annotations"
    target.mkdir(parents=True, exist_ok=True)
    for name, part in (("train", pictures), ("val", pictures[: max(1, len(pictures) // 8)])):
        known = {item["id"] for item in part}
        kept = [mark for mark in marks if mark["image_id"] in known]
        content = {"images": part, "annotations": kept, "categories": categories}
        (target / f"{name}.json").write_text(json.dumps(content))


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Two boxes a picture; the class is the colour, and so is who it is to a tracker."""
    random = seeded(seed)
    pictures: list[Any] = []
    marks: list[Any] = []
    for index in range(count):
        picture = Picture.noise(random, size, size)
        for label in random.sample(range(CLASSES), 2):
            box = random_box(random, size)
            picture.box(*box, colour_of(label))
            mark = annotation(len(marks) + 1, index + 1, label, box)
            marks.append({**mark, "track_id": label})
        name = f"{index:05d}.png"
        picture.save(folder / "images" / name)
        pictures.append({"id": index + 1, "file_name": name, "width": size, "height": size})
    names = [{"id": label + 1, "name": f"class{label}"} for label in range(CLASSES)]
    write(folder, pictures, marks, names)
