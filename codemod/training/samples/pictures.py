"""Pictures with something to learn from: coloured boxes on noise, written as PNG."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass, field
from random import Random

# Left, top, right, bottom.
Box = tuple[int, int, int, int]
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def _chunk(kind: bytes, content: bytes) -> bytes:
    checksum = zlib.crc32(kind + content)
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)


@dataclass(slots=True)
class Picture:
    """A picture of `width` x `height` pixels with `channels` bytes each, row by row."""

    width: int
    height: int
    channels: int = 3
    pixels: bytearray = field(default_factory=bytearray)

    def __post_init__(self) -> None:
        if not self.pixels:
            self.pixels = bytearray(self.width * self.height * self.channels)

    @classmethod
    def noise(cls, random: Random, width: int, height: int, low: int = 60) -> Picture:
        """A colour picture of dim noise, values from 0 to `low`."""
        noise = bytearray(value * low >> 8 for value in random.randbytes(width * height * 3))
        return cls(width, height, 3, noise)

    def box(self, left: int, top: int, right: int, bottom: int, colour: bytes) -> None:
        """Fill the box from (left, top) to before (right, bottom), cut to the picture."""
        left, right = max(0, left), min(self.width, right)
        row = colour * max(0, right - left)
        for y in range(max(0, top), min(self.height, bottom)):
            start = (y * self.width + left) * self.channels
            self.pixels[start : start + len(row)] = row

    def upside_down(self) -> Picture:
        """The picture turned by 180 degrees."""
        turned = bytearray(len(self.pixels))
        for channel in range(self.channels):
            turned[channel :: self.channels] = self.pixels[channel :: self.channels][::-1]
        return Picture(self.width, self.height, self.channels, turned)

    def png(self) -> bytes:
        """The picture as PNG: grey for one channel, else RGB."""
        stride = self.width * self.channels
        rows = b"".join(
            b"\0" + bytes(self.pixels[y * stride : (y + 1) * stride]) for y in range(self.height)
        )
        colour = 0 if self.channels == 1 else 2
        header = struct.pack(">IIBBBBB", self.width, self.height, 8, colour, 0, 0, 0)
        return (
            _SIGNATURE
            + _chunk(b"IHDR", header)
            + _chunk(b"IDAT", zlib.compress(rows, 1))
            + _chunk(b"IEND", b"")
        )


def colour_of(label: int) -> bytes:
    """A bright colour for a class number."""
    return bytes((60 + label * 67 % 190, 60 + label * 131 % 190, 60 + label * 29 % 190))
