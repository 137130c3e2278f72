"""Pictures with things and stuff, as COCO's panoptic set lays them out.

train.txt holds `picture label` lines, panoptic.json the pictures and the segments of each: a
pixel's colour in the label is its segment's number.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

# Ids of COCO's categories, as the kit lists them.
GRASS = 193
THINGS = (1, 3, 18)


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Each picture has one thing, a box whose colour is its category, on grass."""
    random = seeded(seed)
    images, annotations, lines = [], [], []
    for number in range(1, count + 1):
        kind = number % len(THINGS)
        box = random_box(random, size)
        picture, label = Picture.noise(random, size, size), Picture(size, size)
        picture.box(*box, colour_of(kind))
        segments = {2 * number: GRASS, 2 * number + 1: THINGS[kind]}
        ground, thing = (_code(segment) for segment in segments)
        label.box(0, 0, size, size, ground)
        label.box(*box, thing)
        name = f"{number:012d}.png"
        picture.save(folder / "images" / name)
        label.save(folder / "labels" / name)
        lines.append(f"images/{name} labels/{name}\n")
        images.append({"id": number, "file_name": name, "width": size, "height": size})
        told = [
            {"id": segment, "category_id": category, "iscrowd": 0}
            for segment, category in segments.items()
        ]
        annotations.append({"image_id": number, "file_name": name, "segments_info": told})
    (folder / "train.txt").write_text("".join(lines))
    listed = {"images": images, "annotations": annotations}
    (folder / "panoptic.json").write_text(json.dumps(listed))


def _code(segment: int) -> bytes:
    """The colour that stands for a segment's number: red counts ones, green 256, blue 65,536."""
    return segment.to_bytes(3, "little")
