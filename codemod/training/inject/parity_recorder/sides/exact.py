"""Exact distances between the arrays of two visits, and what a line of the record says of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..values.digests import Sparse, as_float, norm


def kind_of(value: Any) -> str:
    """Dense "d", sparse "s", missing "n", or frozen "f"."""
    if isinstance(value, str) or value is None:
        return value or "n"
    return "s" if isinstance(value, Sparse) else "d"


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal to the bit."""
    if isinstance(one, Sparse):
        return np.array_equal(one.rows, other.rows) and same(one.values, other.values)
    if one.shape != other.shape or one.dtype != other.dtype:
        return False
    return bool(np.array_equal(_bits(one), _bits(other)))


def _bits(array: Any) -> Any:
    """The same bytes as whole numbers, which compare without a copy, and NaN with NaN."""
    flat = np.ascontiguousarray(array).reshape(-1)
    return flat.view(f"u{flat.dtype.itemsize}") if flat.dtype.itemsize in (1, 2, 4, 8) else flat


def _dense(value: Any, rows: Any, place: Any) -> Any:
    """The rows of a gradient that either side has, as one flat array."""
    if not isinstance(value, Sparse):
        return as_float(value.reshape(len(value), -1)[rows])
    found = np.zeros((len(rows), value.values.shape[1]))
    found[place[value.rows]] = as_float(value.values).reshape(value.values.shape)
    return found.reshape(-1)


def _flat(one: Any, other: Any) -> tuple[Any, Any]:
    if not isinstance(one, Sparse) and not isinstance(other, Sparse):
        return as_float(one), as_float(other)
    height = one.height if isinstance(one, Sparse) else other.height
    touched = np.zeros(height, bool)
    for value in (one, other):
        if isinstance(value, Sparse):
            touched[value.rows] = True
        else:
            touched |= np.any(value.reshape(height, -1) != 0, axis=1)
    rows = np.flatnonzero(touched)
    place = np.zeros(height, np.int64)
    place[rows] = np.arange(len(rows))
    return _dense(one, rows, place), _dense(other, rows, place)


def size(value: Any) -> float:
    """The 2-norm of a value, 0 of one that is missing."""
    if value is None or isinstance(value, str):
        return 0.0
    return norm(as_float(value.values if isinstance(value, Sparse) else value))


def distances(reference: dict[str, Any], other: dict[str, Any]) -> dict[str, list[Any]]:
    """`[kind, norm, distance]` of each value of the other side that is not the same to the bit.

    The kind is that of the other side; a distance is infinite where one side has no value.
    """
    found: dict[str, list[Any]] = {}
    names = [*reference, *(name for name in other if name not in reference)]
    for name in names:
        one, two = reference.get(name), other.get(name)
        kind = kind_of(two)
        if kind_of(one) == kind and (kind in "nf" or same(one, two)):
            continue
        if kind in "nf" or kind_of(one) in "nf":
            found[name] = [kind, size(two), size(one) + size(two)]
            continue
        first, second = _flat(one, two)
        gap = norm(first - second) if first.shape == second.shape else float("inf")
        found[name] = [kind, norm(second), gap]
    return found


def sizes(values: dict[str, Any]) -> dict[str, list[Any]]:
    """`[kind, norm]` of each value of the side that the others are compared with."""
    return {name: [kind_of(value), size(value)] for name, value in values.items()}
