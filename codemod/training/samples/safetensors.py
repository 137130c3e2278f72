"""Weights of a net in the format of safetensors, without that package."""

from __future__ import annotations

import array
import json
import struct


def safetensors(name: str, shape: tuple[int, int], values: array.array[float]) -> bytes:
    """One float32 array: length of the header (8 bytes, little-endian), header, bytes."""
    content = values.tobytes()
    entry = {"dtype": "F32", "shape": list(shape), "data_offsets": [0, len(content)]}
    header = json.dumps({"__metadata__": {"format": "np"}, name: entry}).encode()
    header += b" " * (-len(header) % 8)
    return struct.pack("<Q", len(header)) + header + content
