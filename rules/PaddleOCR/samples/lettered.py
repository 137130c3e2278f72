"""Text lines as `text_recognition` has them, and a fastText model of their words: words.bin.

The model is one of 300 numbers a word, as nets take that were taught with published ones, of random
weights, and written without fastText: what it was trained with, its words, their numbers.
"""

from __future__ import annotations

import array
import struct

from codemod.training.samples.making import Samples

from . import text_recognition

DIMENSIONS = 300
BUCKETS = 64  # a word of its own has the sum of those that its parts fall into
MAGIC, FORMAT = 793712314, 12
SOFTMAX, SKIPGRAM = 3, 2
UNPRUNED = -1


def generate(samples: Samples) -> None:
    """The digits are the words of the model; a line's text is made of parts of one to three."""
    text_recognition.generate(samples.again())
    random = samples.random
    words = "0123456789"
    trained = struct.pack(
        "<12id", DIMENSIONS, 5, 5, 1, 5, 1, SOFTMAX, SKIPGRAM, BUCKETS, 1, 3, 100, 1e-4
    )
    listed = struct.pack("<iiiqq", len(words), len(words), 0, len(words), UNPRUNED)
    for word in words:
        listed += word.encode() + b"\0" + struct.pack("<qb", 1, 0)
    content = struct.pack("<ii", MAGIC, FORMAT) + trained + listed
    for rows in (len(words) + BUCKETS, len(words)):
        values = array.array("f", (random.gauss(0, 0.1) for _ in range(rows * DIMENSIONS)))
        # Not quantized; rows and columns; the numbers.
        content += struct.pack("<?qq", False, rows, DIMENSIONS) + values.tobytes()
    samples.write("words.bin", content)
