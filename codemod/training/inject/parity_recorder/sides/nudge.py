"""Move every weight by one unit in the last place, to see how far rounding errors go."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..values.digests import digest
from ..values.tensors import to_array

_FLOATS = ("float16", "float32", "float64")


def one_ulp(array: Any, draws: Any) -> Any:
    """Each number one unit in the last place up or down, by a draw for each; zeros stay zeros.

    As `numpy.nextafter` gives it, which takes several times as long: neighbours of one sign are
    neighbours as whole numbers, too. No rounding makes something of a sum of zeros, and whatever
    bends there (a ReLU, where a deformable convolution looks) would take another branch by it.
    """
    flat = array.reshape(-1)
    down = np.reshape(draws.rand(*array.shape), -1) < 0.5
    bits = flat.view(f"i{flat.dtype.itemsize}")
    # One array from here on, changed in place: five new ones took a third of a run of sides.
    further = ((bits < 0) == down).astype(bits.dtype)
    further <<= 1
    further -= 1
    further *= flat != 0
    further += bits
    moved = further.view(flat.dtype)
    odd = ~np.isfinite(flat)
    if odd.any():
        ways = np.where(down[odd], -np.inf, np.inf)
        moved[odd] = np.nextafter(flat[odd], ways.astype(flat.dtype))
    return moved.reshape(array.shape)


class Nudge:
    """Nudges the weights of each optimizer, before training if it stays.

    Kits that load or re-initialize weights after the optimizer is made would undo it; then the
    nudge comes again after the first step. The record says how many weights were moved.
    """

    def __init__(self, session: Any) -> None:
        self._session = session
        self._on = session.config.nudge
        self._digests: dict[int, tuple[Any, str]] = {}
        self._again: list[Any] = []

    def on_optimizer(self, parameters: list[Any]) -> None:
        """Nudge when an optimizer has been made."""
        if self._on:
            new = [one for one in parameters if id(one) not in self._digests]
            self._move([one for one in new if not one.stop_gradient])

    def before_step(self, number: int, step: int) -> None:
        """Before the first step, see whether the nudge is still there."""
        if self._on and number == 0 and step == 0:
            known = self._digests.values()
            self._again = [one for one, was in known if digest(to_array(one)) != was]

    def after_step(self, number: int, step: int) -> None:
        """After the first step, nudge again where it was undone."""
        if number == 0 and step == 0:
            self._move(self._again)

    def _move(self, parameters: list[Any]) -> None:
        draws = np.random.RandomState(len(self._digests))
        moved = 0
        for parameter in parameters:
            array = to_array(parameter)
            if array is None or array.dtype.name not in _FLOATS or not array.size:
                continue
            parameter.set_value(one_ulp(array, draws))
            self._digests[id(parameter)] = (parameter, digest(to_array(parameter)))
            moved += 1
        if moved:
            self._session.journal.write(t="nudge", parameters=moved)
