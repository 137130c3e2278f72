"""Hand-sized digits in MNIST's own files: images.gz and labels.gz (IDX, big-endian, gzip).

Its readers take a hundred digits at a time, and pictures of 28 x 28 pixels only.
"""

from __future__ import annotations

import gzip
import struct

from codemod.training.samples.glyphs import draw
from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture

HUNDRED = 100
SIDE = 28


def generate(samples: Samples) -> None:
    """`count` digits, rounded up to hundreds, each dot `size // 8` pixels wide."""
    random = samples.random
    scale = max(1, min(samples.size, SIDE) // 8)
    total = -(-samples.count // HUNDRED) * HUNDRED
    labels, pixels = bytearray(), bytearray()
    for index in range(total):
        picture = Picture.noise(random, SIDE, SIDE)
        left = random.randint(0, SIDE - 3 * scale)
        draw(picture, str(index % 10), left, random.randint(0, SIDE - 5 * scale), scale)
        labels.append(index % 10)
        pixels += picture.pixels[::3]
    for name, header, content in (
        ("images", struct.pack(">IIII", 2051, total, SIDE, SIDE), pixels),
        ("labels", struct.pack(">II", 2049, total), labels),
    ):
        packed = gzip.compress(header + bytes(content), compresslevel=1, mtime=0)
        samples.write(f"{name}.gz", packed)
