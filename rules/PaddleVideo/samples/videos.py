"""Clips as videos, with a list of `video label` lines: train.list. The videos are not compressed.

Each is an AVI of device-independent bitmaps, which readers of videos take without a codec: a
header, then a frame after the other, then where each begins.
"""

from __future__ import annotations

import struct

from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture

from .clips import CLASSES, moving

FRAMES = 24
RATE = 30  # frames a second
# Of AVI's flags: it has an index; each frame stands for itself.
HAS_INDEX, KEY_FRAME = 0x10, 0x10


def generate(samples: Samples) -> None:
    """A box moves; its direction is the class. `size`, a multiple of 4, is the side of a frame."""
    lines = []
    for index in range(samples.count):
        name = f"videos/{index:05d}.avi"
        samples.write(name, avi(moving(samples, index, FRAMES, 80)))
        lines.append(f"{name} {index % CLASSES}")
    samples.write_lines("train.list", lines)


def avi(frames: list[Picture]) -> bytes:
    """The frames, colour pictures of one size whose width is a multiple of 4, as a video."""
    width, height = frames[0].width, frames[0].height
    images = [_bitmap(frame) for frame in frames]
    largest = len(images[0])
    main = struct.pack(
        "<14I", 1_000_000 // RATE, largest * RATE, 0, HAS_INDEX, len(frames), 0, 1, largest,
        width, height, 0, 0, 0, 0,
    )  # fmt: skip
    stream = struct.pack(
        "<4s4sIHHIIIIIIII4H", b"vids", b"DIB ", 0, 0, 0, 0, 1, RATE, 0, len(frames), largest,
        0xFFFFFFFF, 0, 0, 0, width, height,
    )  # fmt: skip
    layout = struct.pack("<IiiHHIIiiII", 40, width, height, 1, 24, 0, largest, 0, 0, 0, 0)
    described = _list(b"strl", _chunk(b"strh", stream) + _chunk(b"strf", layout))
    moving = [_chunk(b"00db", image) for image in images]
    index, at = b"", 4
    for chunk in moving:
        index += struct.pack("<4sIII", b"00db", KEY_FRAME, at, len(chunk) - 8)
        at += len(chunk)
    header = _list(b"hdrl", _chunk(b"avih", main) + described)
    content = header + _list(b"movi", b"".join(moving)) + _chunk(b"idx1", index)
    return _chunk(b"RIFF", b"AVI " + content)


def _bitmap(picture: Picture) -> bytes:
    """Its rows from the bottom up, blue first."""
    stride = picture.width * 3
    swapped = bytearray(len(picture.pixels))
    for channel in range(3):
        swapped[channel::3] = picture.pixels[2 - channel :: 3]
    rows = range(picture.height - 1, -1, -1)
    return b"".join(swapped[row * stride : (row + 1) * stride] for row in rows)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack("<4sI", name, len(content)) + content


def _list(name: bytes, content: bytes) -> bytes:
    return _chunk(b"LIST", name + content)
