"""Scans, stacks of slices in NIfTI-1 files; train.txt, val.txt of `file slices label` lines."""

from __future__ import annotations

import struct

from codemod.training.samples.making import Samples

SLICES = 16
CLASSES = 2
# Of the format's header: its size, then at 40 the axes, at 70 the type of a value and its bits, at
# 76 the size of a voxel, at 108 where the values start; it ends with the mark of a single file.
HEADER, START = 348, 352
INT16, BITS = 4, 16


def generate(samples: Samples) -> None:
    """Noise with a bright block on one of two sides, which is the class."""
    size, lines = samples.size, []
    for index in range(samples.count):
        label, name = index % CLASSES, f"scans/{index:05d}.nii"
        bright = range(label * size // 2, (label + 1) * size // 2)
        values = [
            samples.random.randint(0, 60) + 120 * (column in bright)
            for _slice in range(SLICES)
            for _row in range(size)
            for column in range(size)
        ]
        samples.write(name, _header(size) + struct.pack(f"<{len(values)}h", *values))
        lines.append(f"{name} {SLICES} {label}")
    samples.write_lists(lines)


def _header(size: int) -> bytes:
    head = bytearray(START)
    struct.pack_into("<i", head, 0, HEADER)
    struct.pack_into("<8h", head, 40, 3, size, size, SLICES, 1, 1, 1, 1)
    struct.pack_into("<2h", head, 70, INT16, BITS)
    struct.pack_into("<8f", head, 76, *[1.0] * 8)
    struct.pack_into("<f", head, 108, START)
    struct.pack_into("<4s", head, 344, b"n+1")
    return bytes(head)
