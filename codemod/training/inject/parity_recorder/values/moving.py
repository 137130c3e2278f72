"""Tensors that no optimizer trains and that change all the same: teachers, averages of weights.

No loss may hang on them, so they are read at every step once they have been seen to change. To see
that, all are hashed now and then, a frozen backbone too: a second for each gigabyte.
"""

from __future__ import annotations

from typing import Any

from .averages import Averages
from .digests import digest
from .tensors import to_array


class Moving:
    """What has changed since the first look, of untrained weights and of averages beside nets."""

    def __init__(self, names: Any) -> None:
        self._names = names
        self.averages = Averages()
        self._first: dict[str, str] = {}
        self._weights: dict[str, Any] = {}
        self._moved: set[str] = set()

    def look(self) -> None:
        """Hash all of them, except those that are known to move."""
        self._weights = self._names.untrained()
        self.averages.refresh(self._names.roots)
        for name, value in self._held().items():
            array = None if name in self._moved else _array(value)
            if array is not None and self._first.setdefault(name, found := digest(array)) != found:
                self._moved.add(name)

    def values(self) -> dict[str, Any]:
        """Copies of those that move, by name, as NumPy arrays."""
        if not self._moved:
            return {}
        return {name: _array(one) for name, one in self._held().items() if name in self._moved}

    def _held(self) -> dict[str, Any]:
        return {**self._weights, **self.averages.tensors()}


def _array(value: Any) -> Any:
    return to_array(value) if hasattr(type(value), "_grad_ivar") else value.copy()
