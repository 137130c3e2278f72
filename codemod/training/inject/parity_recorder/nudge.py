"""Move one weight by one unit in the last place, to see how far rounding errors go."""

from __future__ import annotations

from typing import Any

import numpy as np

from .digests import digest
from .tensors import to_array

_FLOATS = ("float16", "float32", "float64")


class Nudge:
    """Nudges the first matrix of the first optimizer, before training if it stays.

    Kits that load or re-initialize weights after the optimizer is made would undo it; then the
    nudge comes again after the first step.
    """

    def __init__(self, session: Any) -> None:
        self._session = session
        # In lockstep every weight is moved, and by other means.
        self._on = session.config.nudge and not session.config.lockstep
        self._parameter: Any = None
        self._digest = ""
        self._again = False

    def on_optimizer(self, parameters: list[Any]) -> None:
        """Nudge when the first optimizer with parameters has been made."""
        if self._on and self._parameter is None:
            for parameter in parameters:
                if not parameter.stop_gradient and len(parameter.shape) >= 2:
                    self._parameter = parameter
                    self._move()
                    return

    def before_step(self, number: int, step: int) -> None:
        """Before the first step, see whether the nudge is still there."""
        if self._on and number == 0 and step == 0 and self._parameter is not None:
            self._again = digest(to_array(self._parameter)) != self._digest

    def after_step(self, number: int, step: int) -> None:
        """After the first step, nudge again where it was undone."""
        if self._again and number == 0 and step == 0:
            self._again = False
            self._move()

    def _move(self) -> None:
        array = to_array(self._parameter)
        if array is None or array.dtype.name not in _FLOATS or not array.size:
            return
        flat = array.reshape(-1)
        index = int(np.argmax(np.abs(flat)))
        flat[index] = np.nextafter(flat[index], np.array(np.inf, flat.dtype))
        self._parameter.set_value(array)
        self._digest = digest(to_array(self._parameter))
        self._session.journal.write(t="nudge", parameter=self._parameter.name, index=index)
