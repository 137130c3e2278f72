"""Pairs of a key and a value, grouped by the key."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

K = TypeVar("K")
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """The values by key, keys and values in the order in which they come.

    >>> grouped([("b", 1), ("a", 2), ("b", 1)])
    {'b': [1, 1], 'a': [2]}
    """
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def grouped_once(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """As `grouped`, with each value once a key."""
    return {key: list(dict.fromkeys(values)) for key, values in grouped(pairs).items()}
