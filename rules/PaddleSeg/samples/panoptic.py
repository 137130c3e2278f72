"""Pictures with things and stuff, laid out and named as Cityscapes' panoptic set for training.

Pictures lie at `leftImg8bit/train/CITY/`, coded segments beside the JSON list in `gtFine/`.
Cityscapes codes a segment's number in a pixel's colour. The kit reads the colour from what it has
transposed: so here it is, of a pixel at (x, y), the first three bytes of row x of the grey plane y,
and the planes lie below each other.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of, random_box
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

VERSION = 3
CITY = "aachen"
STUFF = 7  # its class is its id
THING = 13  # its id is 1000 times the class, and one for the first of them


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """Each picture has one thing, a box, on stuff."""
    random = seeded(seed)
    images, annotations = [], []
    for index in range(count):
        name = f"{CITY}_{index:06d}_000019_gtFine"
        picture = Picture.noise(random, size, size)
        box = random_box(random, size)
        thing = THING * 1000
        picture.box(*box, colour_of(index % 5))
        shown = f"{name}_leftImg8bit.png".replace("_gtFine", "")
        picture.save(folder / "leftImg8bit" / "train" / CITY / shown)
        _segments(size, box, thing).save(
            folder / "gtFine" / "cityscapes_panoptic_train_trainId" / f"{name}_panoptic.png"
        )
        area = (box[2] - box[0]) * (box[3] - box[1])
        images.append({"file_name": f"{name}_leftImg8bit.png"})
        described = [(STUFF, STUFF, size * size - area), (thing, THING, area)]
        annotations.append(
            {
                "file_name": f"{name}_panoptic.png",
                "segments_info": [
                    {"id": number, "category_id": kind, "area": covers, "iscrowd": 0}
                    for number, kind, covers in described
                ],
            }
        )
    listed = {"images": images, "annotations": annotations}
    (folder / "gtFine" / "cityscapes_panoptic_train_trainId.json").write_text(json.dumps(listed))


def _segments(size: int, box: tuple[int, int, int, int], thing: int) -> Picture:
    """The planes, one for each row of the picture: `size` x `size` bytes each."""
    left, top, right, bottom = box
    planes = Picture(size, size * size, 1)
    for y in range(size):
        for x in range(size):
            inside = left <= x < right and top <= y < bottom
            start = (y * size + x) * size
            planes.pixels[start : start + 3] = _code(thing if inside else STUFF)
    return planes


def _code(number: int) -> bytes:
    """The colour that stands for a segment's number."""
    return bytes((number % 256, number // 256 % 256, number // 65536))
