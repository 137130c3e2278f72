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

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Box, Picture, colour_of

FRAMES = 6
OBJECTS = 2
# The residual blocks of the net's stages, and the channels of their last normalization.
SCALE = 0.001
BLOCKS = ((3, 256), (4, 512), (23, 1024), (3, 2048))


def generate(samples: Samples) -> None:
    """In each video one box moves to the right, and one to the left below it."""
    size = samples.size
    videos = [f"video{index:03d}" for index in range(samples.count)]
    for video in videos:
        boxes = _boxes(samples)
        for number, frame in enumerate(boxes):
            picture, mask = samples.noise(), Picture(size, size, 1)
            for thing, box in enumerate(frame, 1):
                picture.box(*box, colour_of(thing))
                mask.box(*box, bytes([thing]))
            # Readers go by the content, not by the name's ending.
            samples.write(f"JPEGImages/480p/{video}/{number:05d}.jpg", picture.png())
            samples.write(f"Annotations/480p/{video}/{number:05d}.png", mask.png())
        for drawn in range(1, 4):
            scribbles = {"sequence": video, "scribbles": _scribbles(boxes, drawn, size)}
            samples.write(f"Scribbles/{video}/{drawn:03d}.json", json.dumps(scribbles))
    samples.write_lines("ImageSets/2017/train.txt", videos)
    # The kit looks for its count of objects under this name, and would write it here.
    objects = {video: list(range(1, OBJECTS + 1)) for video in videos}
    samples.write("ImageSets/2017/t_r_a_i_n_instances.txt", json.dumps(objects))
    samples.write("weights.pdparams", pickle.dumps({"state_dict": {}}, protocol=4))
    samples.write("stage1.pdparams", _muted())


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


def _boxes(samples: Samples) -> list[list[Box]]:
    """Of each frame, the box of each object."""
    size = samples.size
    side, top = size // 3, samples.random.randint(0, size // 8)
    below = size // 2 + top
    found = []
    for frame in range(FRAMES):
        right = size // 8 + frame * size // 20
        left = size - side - right
        above = (right, top, right + side, top + side)
        found.append([above, (left, below, left + side, below + side)])
    return found


def _scribbles(boxes: list[list[Box]], at: int, size: int) -> list[list[dict[str, object]]]:
    """Of each frame, its lines; that of number `at` has one along each box's diagonal."""
    frames: list[list[dict[str, object]]] = [[] for _ in boxes]
    for thing, (left, top, right, bottom) in enumerate(boxes[at], 1):
        path = [[left / size, top / size], [(right - 1) / size, (bottom - 1) / size]]
        frames[at].append({"path": path, "object_id": thing})
    return frames
