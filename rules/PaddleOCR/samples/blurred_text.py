"""Text lines sharp and blurred, in the database that nets read which make them sharp: train/.

`strokes.txt` says of which strokes each digit is written, `confused.pkl` how often one of 62
characters is taken for another. Besides the digits there are none.
"""

from __future__ import annotations

import pickle

from codemod.training.samples.glyphs import draw
from codemod.training.samples.making import Samples
from codemod.training.samples.pictures import Picture

from .lightning import lmdb

CHARACTERS = 62


def generate(samples: Samples) -> None:
    """Lines of four to six digits, `size` pixels high, and half as many where they are blurred."""
    random, size = samples.random, samples.size
    scale = max(2, size // 7 // 2 * 2)
    entries = {"num-samples": str(samples.count).encode()}
    for number in range(1, samples.count + 1):
        text = samples.digits(random.randint(4, 6))
        sharp = Picture.noise(random, len(text) * 4 * scale + scale, size // 2 * 2)
        draw(sharp, text, scale // 2, max(0, (size - 5 * scale) // 2), scale)
        entries[f"label-{number:09d}"] = text.encode()
        entries[f"image_hr-{number:09d}"] = sharp.png()
        entries[f"image_lr-{number:09d}"] = halved(sharp).png()
    samples.write("train/data.mdb", lmdb(entries))
    strokes = (f"{digit} {digit % 9 + 1}{digit // 2 + 1}" for digit in range(10))
    samples.write_lines("strokes.txt", strokes)
    taken = [[random.random() for _ in range(CHARACTERS)] for _ in range(CHARACTERS)]
    samples.write("confused.pkl", pickle.dumps(taken, protocol=4))
    # The kit makes a list of what it would evaluate on, and does not.
    samples.write("val.txt", "train/data.mdb\t0\n")


def halved(picture: Picture) -> Picture:
    """The mean of each square of four pixels."""
    width, height = picture.width // 2, picture.height // 2
    stride = picture.width * 3
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            at = 2 * y * stride + 2 * x * 3
            for channel in range(at, at + 3):
                corners = (channel, channel + 3, channel + stride, channel + stride + 3)
                pixels.append(sum(picture.pixels[corner] for corner in corners) // 4)
    return Picture(width, height, 3, pixels)
