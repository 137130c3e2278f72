"""A data loader's iterator that hands out each batch once a side."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np


def copy_batch(value: Any) -> Any:
    """A copy that the trainer may change without changing the other; tensors keep their flags."""
    # Asked of the type, for a kit's mapping may raise KeyError for a name that it lacks.
    if hasattr(type(value), "_grad_ivar"):
        twin = value.detach().clone()
        twin.stop_gradient = value.stop_gradient
        return twin
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, dict):
        twin = copy.copy(value)
        for key, item in value.items():
            twin[key] = copy_batch(item)
        return twin
    if isinstance(value, list):
        return [copy_batch(item) for item in value]
    if type(value) is tuple:
        return tuple(copy_batch(item) for item in value)
    return value


class Visits:
    """Tells lockstep whose turn it is with each batch; an evaluation's batches have no sides.

    The loader that the trainer asks first leads. Others that it asks beside it hand out what they
    handed out to the first side.
    """

    def __init__(self, inner: Any, lockstep: Any) -> None:
        self._inner = inner
        self._lockstep = lockstep
        self._batch: Any = None
        self._left: list[str] = []
        self._taken: list[Any] = []
        self._pair, self._side, self._given = -1, "", 0

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if not self._left:
            if self._lockstep.follows(self):
                return self._beside()
            self._lockstep.finish(self)
            batch = next(self._inner)
            if not self._lockstep.training():
                return batch
            self._batch, self._left = batch, self._lockstep.next_sides()
        self._lockstep.begin(self, self._left.pop(0))
        return copy_batch(self._batch) if self._left else self._batch

    def _beside(self) -> Any:
        """A batch for the turn that another loader leads."""
        pair, side, first = self._lockstep.place()
        if first:
            if self._pair != pair:
                self._pair, self._taken = pair, []
            self._taken.append(next(self._inner))
            return copy_batch(self._taken[-1])
        if (self._pair, self._side) != (pair, side):
            self._side, self._given = side, 0
        if self._pair != pair or self._given >= len(self._taken):
            return next(self._inner)
        self._given += 1
        return copy_batch(self._taken[self._given - 1])

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)
