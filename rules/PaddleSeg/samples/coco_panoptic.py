"""Pictures with things and stuff, as COCO's panoptic set lays them out.

train.txt holds `picture label` lines, panoptic.json the pictures and the segments of each: a
pixel's colour in the label is its segment's number.
"""

from __future__ import annotations

import json

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture, colour_of

# Ids of COCO's categories, as the kit lists them.
GRASS = 193
THINGS = (1, 3, 18)


def generate(samples: Samples) -> None:
    """Each picture has one thing, a box whose colour is its category, on grass."""
    size = samples.size
    images, annotations, lines = [], [], []
    for number in range(1, samples.count + 1):
        kind = number % len(THINGS)
        box = samples.box()
        picture, label = samples.noise(), Picture(size, size)
        picture.box(*box, colour_of(kind))
        segments = {2 * number: GRASS, 2 * number + 1: THINGS[kind]}
        ground, thing = (code(segment) for segment in segments)
        label.box(0, 0, size, size, ground)
        label.box(*box, thing)
        name = f"{number:012d}.png"
        samples.write(f"images/{name}", picture.png())
        samples.write(f"labels/{name}", label.png())
        lines.append(f"images/{name} labels/{name}")
        images.append({"id": number, "file_name": name, "width": size, "height": size})
        told = [
            {"id": segment, "category_id": category, "iscrowd": 0}
            for segment, category in segments.items()
        ]
        annotations.append({"image_id": number, "file_name": name, "segments_info": told})
    samples.write_lines("train.txt", lines)
    samples.write("panoptic.json", json.dumps({"images": images, "annotations": annotations}))


def code(segment: int) -> bytes:
    """The colour that stands for a segment's number: red counts ones, green 256, blue 65,536."""
    return segment.to_bytes(3, "little")
