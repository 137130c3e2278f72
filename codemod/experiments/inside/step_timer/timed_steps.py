"""Tell the clock where backward and the optimizers' steps begin and end."""

# mypy: disable-error-code=misc

from __future__ import annotations

import functools
import os
import time
from importlib import import_module
from typing import Any

recorder_steps: Any = import_module("parity_recorder.steps")
recorder_tensors: Any = import_module("parity_recorder.values.tensors")
recorder_places: Any = import_module("parity_recorder.values.places")
# The pair at which gradients are looked at: the first one makes things once.
_LOOK_AT = 1


class TimedSteps(recorder_steps.Steps):
    """Patches what the recorder patches, and writes nothing."""

    _in_backward: bool
    _inside: bool

    def _patch_backward(self) -> None:
        eager = self._session.paddle.base.core.eager
        original = eager.run_backward
        clock = self._session.clock

        @functools.wraps(original)
        def run_backward(*args: Any, **kwargs: Any) -> Any:
            # Recomputation runs a backward inside the backward.
            if self._in_backward:
                return original(*args, **kwargs)
            self._in_backward = True
            clock.mark("forward")
            began = time.perf_counter()
            try:
                return original(*args, **kwargs)
            finally:
                self._in_backward = False
                clock.mark("backward")
                self._static.compiling.after_backward(time.perf_counter() - began)

        eager.run_backward = run_backward

    def _wrap(self, original: Any, name: str) -> Any:
        clock = self._session.clock

        @functools.wraps(original)
        def step(optimizer: Any, *args: Any, **kwargs: Any) -> Any:
            outer = self._inside or not self._session.paddle.in_dynamic_mode()
            if outer or os.getpid() != self._session.pid:
                return original(optimizer, *args, **kwargs)
            self._inside = True
            clock.mark("step")
            self._look_at_gradients(optimizer)
            try:
                return original(optimizer, *args, **kwargs)
            finally:
                clock.mark("step")
                self._inside = False
                self._number(optimizer)

        return step

    def _look_at_gradients(self, optimizer: Any) -> None:
        """Write which hold rows alone and where the others are, once a side, when all is made."""
        pair, side, _ = self._lockstep.place()
        if pair != _LOOK_AT or not side:
            return
        parameters = recorder_tensors.parameters_of(optimizer)
        names = self.names.of(parameters, self._number(optimizer))
        held = [(name, one._grad_ivar()) for name, one in zip(names, parameters)]
        made = [(name, grad) for name, grad in held if grad is not None]
        sparse = [name for name, grad in made if grad.is_selected_rows()]
        places = {recorder_places.place_of(g) for _, g in made if not g.is_selected_rows()}
        self._session.journal.write(t="sparse", side=side, names=sparse, places=sorted(places))
        self._session.clock.mark("")
