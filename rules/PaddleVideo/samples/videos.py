"""Clips as videos, with a list of `video label` lines: train.list. The videos are not compressed.

Each is an AVI of device-independent bitmaps, which readers of videos take without a codec: a
header, then a frame after the other, then where each begins.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING

from codemod.training.samples.pictures import Picture, colour_of
from codemod.training.samples.seeded import seeded

if TYPE_CHECKING:
    from pathlib import Path

FRAMES = 24
RATE = 30  # frames a second
CLASSES = 4
# Of AVI's flags: it has an index; each frame stands for itself.
HAS_INDEX, KEY_FRAME = 0x10, 0x10


def generate(folder: Path, count: int, size: int, seed: int) -> None:
    """A box moves; its direction is the class. `size`, a multiple of 4, is the side of a frame."""
    random = seeded(seed)
    lines = []
    for index in range(count):
        label = index % CLASSES
        step = ((1, 0), (-1, 0), (0, 1), (0, -1))[label]
        frames = []
        for frame in range(FRAMES):
            picture = Picture.noise(random, size, size)
            left = size // 3 + step[0] * frame * size // 80
            top = size // 3 + step[1] * frame * size // 80
            picture.box(left, top, left + size // 4, top + size // 4, colour_of(index))
            frames.append(picture)
        name = f"videos/{index:05d}.avi"
        (folder / "videos").mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(avi(frames))
        lines.append(f"{name} {label}\n")
    (folder / "train.list").write_text("".join(lines))


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
