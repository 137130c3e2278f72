"""A model of sentencepiece that knows whole words, without that package."""

from __future__ import annotations

import struct

# What it writes for the space before a word, and its kinds of pieces.
_SPACE = "\u2581"
_NORMAL, _UNKNOWN, _CONTROL = 1, 2, 3


def sentencepiece(marks: tuple[str, ...], words: tuple[str, ...]) -> bytes:
    """The marks, the unknown word first, and the words as its protocol buffer.

    Of each piece its text, its score and its kind.
    """
    ahead = [(mark, _CONTROL if number else _UNKNOWN) for number, mark in enumerate(marks)]
    listed = [(f"{_SPACE}{word}", _NORMAL) for word in words]
    return b"".join(_piece(text, kind) for text, kind in (*ahead, *listed))


def _piece(text: str, kind: int) -> bytes:
    """Field 1 of the model: text (field 1), score (2, a float) and kind (3, a number)."""
    encoded = text.encode()
    content = b"\x0a" + bytes([len(encoded)]) + encoded
    content += b"\x15" + struct.pack("<f", 0.0) + b"\x18" + bytes([kind])
    return b"\x0a" + bytes([len(content)]) + content
