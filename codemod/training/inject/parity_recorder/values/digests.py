"""Fingerprints of arrays: equality by digest, distance by sketch.

A digest tells whether two runs agree to the bit. A sketch is a short linear image of an array: the
distance of two sketches estimates the distance of the arrays, so that drift can be measured at
every step without storing gradients (count sketch: Charikar, Chen, Farach-Colton, 2002).
"""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import numpy as np

BUCKETS = 8
# Each element has a random sign of its own, so that structured differences (rows that add up to
# zero) do not cancel. Longer arrays use the signs again, each time with another common sign.
_PERIOD = 1 << 20
_random = np.random.RandomState(20240420)
_FAST = _random.randint(0, 2, _PERIOD).astype(np.float32) * 2 - 1
_SLOW = _random.randint(0, 2, 4096).astype(np.float64) * 2.0 - 1.0


class Sparse:
    """A row-sparse gradient; duplicate rows are merged, rows ascending, when it is first looked at.

    `rows` is an int64 vector of n, `values` an n x width array, `height` the rows of the table.
    Merging takes longer than copying, so it is left to the writer's thread.
    """

    def __init__(self, rows: Any, values: Any, height: int) -> None:
        self._given = (np.asarray(rows, dtype=np.int64), np.asarray(values))
        self._merged: Any = None
        self.height = height

    @property
    def rows(self) -> Any:
        """The numbers of the rows that have a gradient."""
        return self._merge()[0]

    @property
    def values(self) -> Any:
        """Their gradients."""
        return self._merge()[1]

    def _merge(self) -> Any:
        if self._merged is None:
            rows, values = self._given
            flat = values.reshape(len(rows), -1)
            order = np.argsort(rows, kind="stable")
            unique, first = np.unique(rows[order], return_index=True)
            summed = np.add.reduceat(flat[order], first, axis=0) if len(rows) else flat
            self._merged = (unique, summed)
        return self._merged


def digest(array: Any) -> str:
    """Sixteen hexadecimal digits of a hash of the array's bytes."""
    held: Any = array if isinstance(array, bytes) else np.ascontiguousarray(array)
    return hashlib.blake2b(held, digest_size=8).hexdigest()


def digest_sparse(grad: Sparse) -> str:
    """Like `digest`, of the rows that are not all zero and of their numbers."""
    keep = np.any(grad.values != 0, axis=1)
    return digest(np.frombuffer(grad.rows[keep].tobytes() + grad.values[keep].tobytes(), np.uint8))


def as_float(array: Any) -> Any:
    """The array as float64, flat; NumPy has no bfloat16, and Paddle hands it over as uint16."""
    if array.dtype == np.uint16:
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return np.ascontiguousarray(array, dtype=np.float64).reshape(-1)


def norm(flat: Any) -> float:
    """The 2-norm of a flat float64 array."""
    return float(np.sqrt(flat @ flat))


def _encode(buckets: Any) -> str:
    return base64.b64encode(buckets.astype("<f8").tobytes()).decode("ascii")


def sketch(flat: Any) -> str:
    """The sketch of a flat float64 array, as base64 of `BUCKETS` doubles."""
    whole, rest = divmod(len(flat), _PERIOD)
    width = _PERIOD if whole else rest
    columns = np.zeros(width + -width % BUCKETS)
    if whole:
        signs = np.resize(_SLOW, whole)
        columns += signs @ flat[: whole * _PERIOD].reshape(whole, _PERIOD)
    columns[:rest] += flat[whole * _PERIOD :] * _SLOW[whole % len(_SLOW)]
    columns *= _FAST[: len(columns)]
    return _encode(columns.reshape(-1, BUCKETS).sum(axis=0))


def sketch_sparse(grad: Sparse) -> str:
    """The sketch that the same gradient would have if it were dense."""
    width = grad.values.shape[1]
    index = (grad.rows[:, None] * width + np.arange(width)).reshape(-1)
    signs = _SLOW[(index // _PERIOD) % len(_SLOW)] * _FAST[index % _PERIOD]
    weights = as_float(grad.values) * signs
    return _encode(np.bincount(index % BUCKETS, weights=weights, minlength=BUCKETS))


def fingerprint(value: Any) -> list[Any]:
    """`[kind, digest, norm, sketch]` of a gradient: dense "d", sparse "s", or missing "n"."""
    if value is None:
        return ["n", "", 0.0, ""]
    if isinstance(value, Sparse):
        flat = as_float(value.values)
        return ["s", digest_sparse(value), norm(flat), sketch_sparse(value)]
    flat = as_float(value)
    return ["d", digest(value), norm(flat), sketch(flat)]
