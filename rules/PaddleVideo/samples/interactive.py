"""Short videos with masks of their objects and scribbles on them, laid out as DAVIS 2017.

Frames are `JPEGImages/480p/VIDEO/00000.jpg`, masks `Annotations/480p/VIDEO/00000.png`, scribbles
`Scribbles/VIDEO/001.json` to `003.json`. `weights.pdparams` holds no weights: a net that reads it
keeps those that it was made with. `stage1.pdparams` holds small scales of normalizations, for the
second stage takes a net's features in evaluation, where those of a net that was never trained
overflow.
"""

from __future__ import annotations

import json
import pickle
from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

FRAMES = 6
OBJECTS = 2
# The residual blocks of the net's stages, and the channels of their last normalization.
SCALE = 0.001
BLOCKS = ((3, 256), (4, 512), (23, 1024), (3, 2048))


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """In each video one box moves to the right, and one to the left below it."""
    random = seeded(seed)
    videos = [f"video{index:03d}" for index in range(count)]
    for video in videos:
        boxes = _boxes(random, size)
        for number, frame in enumerate(boxes):
            picture, mask = Picture.noise(random, size, size), Picture(size, size, 1)
            for thing, box in enumerate(frame, 1):
                picture.box(*box, colour_of(thing))
                mask.box(*box, bytes([thing]))
            # Readers go by the content, not by the name's ending.
            picture.save(folder / "JPEGImages" / "480p" / video / f"{number:05d}.jpg")
            mask.save(folder / "Annotations" / "480p" / video / f"{number:05d}.png")
        for drawn in range(1, 4):
            scribbles = {"sequence": video, "scribbles": _scribbles(boxes, drawn, size)}
            _write(folder / "Scribbles" / video / f"{drawn:03d}.json", json.dumps(scribbles))
    listed = folder / "ImageSets" / "2017"
    _write(listed / "train.txt", "".join(f"{video}\n" for video in videos))
    # The kit looks for its count of objects under this name, and would write it here.
    objects = {video: list(range(1, OBJECTS + 1)) for video in videos}
    _write(listed / "t_r_a_i_n_instances.txt", json.dumps(objects))
    (folder / "weights.pdparams").write_bytes(pickle.dumps({"state_dict": {}}, protocol=4))
    (folder / "stage1.pdparams").write_bytes(_muted())


def _muted() -> bytes:
    """A pickle of NumPy's arrays by name, written without NumPy: scales that end the branches."""
    made = [b"(d"]
    for stage, (blocks, channels) in enumerate(BLOCKS, 1):
        ends = {f"{block}.bn3": 0.0 for block in range(blocks)}
        for end, scale in {**ends, "0.downsample.1": SCALE}.items():
            name = f"feature_extracter.backbone.layer{stage}.{end}.weight"
            array = f"cnumpy\nfull\n((I{channels}\ntF{scale}\nVfloat32\ntR"
            made.append(f"V{name}\n{array}s".encode())
    return b"".join(made) + b"."


def _boxes(random: Random, size: int) -> list[list[tuple[int, int, int, int]]]:
    """Of each frame, the box of each object: left, top, right, bottom."""
    side, top = size // 3, random.randint(0, size // 8)
    found = []
    for frame in range(FRAMES):
        right = size // 8 + frame * size // 20
        left = size - side - right
        found.append(
            [
                (right, top, right + side, top + side),
                (left, size // 2 + top, left + side, size // 2 + top + side),
            ]
        )
    return found


def _scribbles(
    boxes: list[list[tuple[int, int, int, int]]], at: int, size: int
) -> list[list[dict[str, object]]]:
    """Of each frame, its lines; that of number `at` has one along each box's diagonal."""
    frames: list[list[dict[str, object]]] = [[] for _ in boxes]
    for thing, (left, top, right, bottom) in enumerate(boxes[at], 1):
        path = [[left / size, top / size], [(right - 1) / size, (bottom - 1) / size]]
        frames[at].append({"path": path, "object_id": thing})
    return frames


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
