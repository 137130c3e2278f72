"""Data loading in step with training.

Without worker processes Paddle's loader reads ahead in a thread of the trainer's process. What that
thread draws from Python's and NumPy's generators, and what the model draws from them, then come in
an order that depends on how long a step takes: static training, which compiles in its first step,
would draw other numbers than dynamic training. Here a batch is read when the trainer asks for it.
"""

from __future__ import annotations

import functools
import hashlib
import threading
from typing import Any, Iterator

import numpy as np

from .values.tensors import to_array

# How often a reading thread looks whether its iterator has been given up, in seconds.
_LOOK_S = 0.05


class _OnDemand:
    """A sampler that waits until a batch is asked for."""

    def __init__(self, inner: Any, asked: threading.Semaphore, over: threading.Event) -> None:
        self._inner = inner
        self._asked = asked
        self._over = over

    def __iter__(self) -> Any:
        return self

    def __next__(self) -> Any:
        while not self._asked.acquire(timeout=_LOOK_S):
            if self._over.is_set():
                raise StopIteration
        return next(self._inner)


def patch(paddle: Any) -> None:
    """Make the loader's thread read one batch a request. Builds without that thread stay as is."""
    module = getattr(getattr(paddle.io, "dataloader", None), "dataloader_iter", None)
    iterator: Any = getattr(module, "_DataLoaderIterSingleProcess", None)
    if not hasattr(iterator, "_init_thread"):
        return
    begin, ask = iterator._init_thread, iterator.__next__

    @functools.wraps(begin)
    def begin_on_demand(this: Any) -> None:
        this._asked = threading.Semaphore(0)
        this._sampler_iter = _OnDemand(this._sampler_iter, this._asked, this._thread_done_event)
        begin(this)

    @functools.wraps(ask)
    def ask_for_one(this: Any) -> Any:
        this._asked.release()
        return ask(this)

    iterator._init_thread = begin_on_demand
    iterator.__next__ = ask_for_one


class Batches:
    """A digest of what the loaders handed out since it was last asked for."""

    def __init__(self) -> None:
        self._hash = hashlib.sha256()

    def patch(self, paddle: Any) -> None:
        """Look at every batch on its way to the trainer."""
        loader = paddle.io.DataLoader
        original = loader.__iter__

        @functools.wraps(original)
        def watched(this: Any) -> Iterator[Any]:
            for batch in original(this):
                self._add(batch)
                yield batch

        loader.__iter__ = watched

    def _add(self, value: Any) -> None:
        if isinstance(value, dict):
            value = list(value.values())
        if isinstance(value, (list, tuple)):
            for item in value:
                self._add(item)
        elif isinstance(value, np.ndarray):
            self._hash.update(np.ascontiguousarray(value).tobytes())
        elif hasattr(type(value), "_grad_ivar"):
            array = to_array(value)
            self._hash.update(b"" if array is None else array.tobytes())

    def take(self) -> str:
        """The digest, and a new start."""
        found = self._hash.hexdigest()[:16]
        self._hash = hashlib.sha256()
        return found
