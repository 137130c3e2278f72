"""Arrays in NumPy's file format, without NumPy."""

from __future__ import annotations

import array
import math

_CODES = {"<f4": "f", "<i8": "q"}


def npy(values: list[float] | list[int], shape: tuple[int, ...], dtype: str) -> bytes:
    """`values`, flat in C order, as an array of `shape` and dtype "<f4" or "<i8".

    Raises:
        ValueError: the values do not fill the shape.
    """
    if math.prod(shape) != len(values):
        raise ValueError(f"{len(values)} values do not fill shape {shape}")
    return npy_file(array.array(_CODES[dtype], values).tobytes(), repr(shape), dtype)


def npy_file(content: bytes, shape: str, dtype: str) -> bytes:
    """The file of an array whose bytes are known."""
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + content
