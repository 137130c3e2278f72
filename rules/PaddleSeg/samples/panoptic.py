"""Pictures with things and stuff, laid out and named as Cityscapes' panoptic set for training.

Pictures lie at `leftImg8bit/train/CITY/`, coded segments beside the JSON list in `gtFine/`.
Cityscapes codes a segment's number in a pixel's colour. The kit reads the colour from what it has
transposed: so here it is, of a pixel at (x, y), the first three bytes of row x of the grey plane y,
and the planes lie below each other.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Box, Picture, colour_of

from .coco_panoptic import code

VERSION = 3
CITY = "aachen"
STUFF = 7  # its class is its id
THING = 13  # its id is 1000 times the class, and one for the first of them


def generate(samples: Samples) -> None:
    """Each picture has one thing, a box, on stuff."""
    size = samples.size
    thing = THING * 1000
    coded = "gtFine/cityscapes_panoptic_train_trainId"
    images, annotations = [], []
    for index in range(samples.count):
        name = f"{CITY}_{index:06d}_000019"
        picture, box = samples.noise(), samples.box()
        picture.box(*box, colour_of(index % 5))
        samples.write(f"leftImg8bit/train/{CITY}/{name}_leftImg8bit.png", picture.png())
        segments = f"{name}_gtFine_panoptic.png"
        samples.write(f"{coded}/{segments}", _segments(size, box, thing).png())
        area = (box[2] - box[0]) * (box[3] - box[1])
        images.append({"file_name": f"{name}_gtFine_leftImg8bit.png"})
        described = [(STUFF, STUFF, size * size - area), (thing, THING, area)]
        told = [
            {"id": number, "category_id": kind, "area": covers, "iscrowd": 0}
            for number, kind, covers in described
        ]
        annotations.append({"file_name": segments, "segments_info": told})
    samples.write(f"{coded}.json", json.dumps({"images": images, "annotations": annotations}))


def _segments(size: int, box: Box, thing: int) -> Picture:
    """The planes, one for each row of the picture: `size` x `size` bytes each."""
    left, top, right, bottom = box
    planes = Picture(size, size * size, 1)
    for y in range(size):
        for x in range(size):
            inside = left <= x < right and top <= y < bottom
            start = (y * size + x) * size
            planes.pixels[start : start + 3] = code(thing if inside else STUFF)
    return planes
