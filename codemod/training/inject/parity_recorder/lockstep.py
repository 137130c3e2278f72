"""Both sides in one process: each batch is fed twice, first dynamic, then static.

The trainer's own loop does the work. Its data loader hands out every batch twice. On the first
visit `enable_to_static(False)` makes the hook dynamic and the optimizer's update is left out;
before the second visit weights, buffers, gradients and random states are put back. So each pair of
step lines starts from the same point, and a difference is the hook's, not the history's.

With the option nudge, the second side starts with every weight one unit in the last place off: how
far that moves each gradient is the noise of rounding in it. The update is made on true weights.
"""

from __future__ import annotations

import copy
import functools
import random
import weakref
from typing import Any

import numpy as np

from .tensors import to_array


def _copy_batch(value: Any) -> Any:
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
            twin[key] = _copy_batch(item)
        return twin
    if isinstance(value, list):
        return [_copy_batch(item) for item in value]
    if type(value) is tuple:
        return tuple(_copy_batch(item) for item in value)
    return value


def _gradient(paddle: Any, tensor: Any) -> Any:
    """A copy of the tensor's gradient, None where there is none.

    Paddle cannot clone row-sparse ones, so the copy is what a look-up of the same rows is given.
    """
    grad = tensor._grad_ivar()
    if grad is None or not grad.is_selected_rows():
        return None if grad is None else grad.clone()
    rows = grad.get_selected_rows()
    table = tensor.detach()
    table.stop_gradient = False
    with paddle.enable_grad():
        numbers = paddle.to_tensor(np.array(rows.rows()))
        picked = paddle.nn.functional.embedding(numbers, table, sparse=True)
        values = paddle.to_tensor(np.array(rows.get_tensor()))
        return paddle.grad(picked, table, grad_outputs=values)[0]


class _Twice:
    """An iterator that hands out each batch twice and tells whose turn it is."""

    def __init__(self, inner: Any, lockstep: Any) -> None:
        self._inner = inner
        self._lockstep = lockstep
        self._kept: list[Any] = []

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        if self._kept:
            batch = self._kept.pop()
            self._lockstep.begin_static(self)
            return batch
        batch = next(self._inner)
        self._kept.append(_copy_batch(batch))
        self._lockstep.begin_dynamic(self)
        return batch

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)


class Lockstep:
    """Turns of the two sides; without the lockstep option it does nothing."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._side = ""
        self._pair = -1
        self._order = 0
        # A weak reference: an iterator that the trainer dropped (a look at the first batch, the
        # last epoch's) must not keep the one that it trains from out of the turns.
        self._master: Any = lambda: None
        self._saved: dict[str, Any] = {}
        self._moved: list[Any] = []
        self.names: Any = None

    @property
    def skips_update(self) -> bool:
        """Whether the optimizer's update is to be left out now."""
        return self._side == "dynamic"

    def fields(self) -> dict[str, Any]:
        """What a step line says of the turn: side, number of the pair, place within the visit."""
        if not self._side:
            return {}
        self._order += 1
        return {"side": self._side, "pair": self._pair, "order": self._order - 1}

    def patch(self) -> None:
        """Make every data loader hand out its batches twice."""
        loader = self._session.paddle.io.DataLoader
        original = loader.__iter__

        @functools.wraps(original)
        def twice(this: Any) -> Any:
            return _Twice(original(this), self)

        loader.__iter__ = twice

    def begin_dynamic(self, iterator: Any) -> None:
        """First visit of a batch: remember everything and switch the hook off."""
        if self._master() is None or not self._session.paddle.is_grad_enabled():
            self._master = weakref.ref(iterator)
        if iterator is not self._master():
            return
        self._pair += 1
        self._order = 0
        self._side = "dynamic"
        self._save()
        self._session.paddle.jit.enable_to_static(False)

    def begin_static(self, iterator: Any) -> None:
        """Second visit: put everything back and switch the hook on."""
        if iterator is not self._master():
            return
        values = self._saved["values"]
        self._restore()
        if self._session.config.nudge:
            self._move(values)
        self._order = 0
        self._side = "static"
        self._session.paddle.jit.enable_to_static(True)

    def _move(self, values: list[Any]) -> None:
        draws = np.random.RandomState(self._pair)
        for tensor, value in values:
            array = to_array(value)
            if not tensor.stop_gradient and array.dtype.kind == "f":
                ways = np.where(draws.rand(*array.shape) < 0.5, -np.inf, np.inf)
                tensor.set_value(np.nextafter(array, ways.astype(array.dtype)))
                self._moved.append((tensor, value))

    def put_back(self) -> None:
        """Give moved weights their true values, now that the gradients are there."""
        with self._session.paddle.no_grad():
            for tensor, value in self._moved:
                tensor.set_value(value)
        self._moved = []

    def _tensors(self) -> list[Any]:
        self.names.refresh()
        found: dict[int, Any] = {}
        for _, layer in self.names.roots:
            for tensor in [*layer.parameters(), *layer.buffers()]:
                if tensor is not None and tensor._is_initialized():
                    found[id(tensor)] = tensor
        return list(found.values())

    def _save(self) -> None:
        paddle = self._session.paddle
        tensors = self._tensors()
        self._saved = {
            "values": [(tensor, tensor.detach().clone()) for tensor in tensors],
            "grads": [
                (tensor, _gradient(paddle, tensor))
                for tensor in tensors
                if not tensor.stop_gradient
            ],
            "paddle": paddle.get_rng_state(),
            "python": random.getstate(),
            "numpy": np.random.get_state(),
        }

    def _restore(self) -> None:
        paddle = self._session.paddle
        with paddle.no_grad():
            for tensor, value in self._saved["values"]:
                tensor.set_value(value)
            for tensor, grad in self._saved["grads"]:
                tensor.clear_gradient(False)
                if grad is not None:
                    tensor.grad = grad
        paddle.set_rng_state(self._saved["paddle"])
        random.setstate(self._saved["python"])
        np.random.set_state(self._saved["numpy"])
        self._saved = {}
