"""Arrays in NumPy's file format, without NumPy."""

from __future__ import annotations

import array
import math
from pathlib import Path

_CODES = {"<f4": "f", "<i8": "q"}


def save_npy(
    path: Path, values: list[float] | list[int], shape: tuple[int, ...], dtype: str
) -> None:
    """Write `values`, flat in C order, as an array of `shape` and dtype "<f4" or "<i8".

    Raises:
        ValueError: the values do not fill the shape.
    """
    if math.prod(shape) != len(values):
        raise ValueError(f"{len(values)} values do not fill shape {shape}")
    header = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    path.parent.mkdir(parents=True, exist_ok=True)
    start = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little")
    path.write_bytes(start + header.encode("ascii") + array.array(_CODES[dtype], values).tobytes())
