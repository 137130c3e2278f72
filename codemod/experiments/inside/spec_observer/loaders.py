"""Make each pass over a loader short, so that a trainer soon reaches its evaluation.

A pass ends after the wanted number of batches. The last one is made smaller, from the same loader
by the same collation, as the last batch of a real data set often is.
"""

from __future__ import annotations

import importlib
import os
import sys
import threading
import traceback
from typing import Any, Iterator

# So many passes of training without an evaluation mean that none is to come.
_PATIENCE = 4


class _Short:
    """An index sampler that ends early; everything else is the original's."""

    def __init__(self, original: Any, loaders: Loaders) -> None:
        self._original = original
        self._loaders = loaders

    def __getattr__(self, name: str) -> Any:
        return getattr(self._original, name)

    def __len__(self) -> int:
        return len(self._original)

    def __iter__(self) -> Iterator[Any]:
        batches = self._loaders.batches
        for number, indices in enumerate(self._original):
            last = number == batches - 1
            can = isinstance(indices, (list, tuple, range)) and len(indices) > 1
            if last and can and self._loaders.cut:
                indices = list(indices)[: (len(indices) + 1) // 2]
            yield indices
            if last:
                break
        self._loaders.passes += 1


def _ended(fault: Any) -> None:
    """End the run with a thread of a loader: Paddle's training would wait for it for ever."""
    threading.__excepthook__(fault)
    frames = (frame for frame, _ in traceback.walk_tb(fault.exc_traceback))
    if any(frame.f_code.co_name == "_thread_loop" for frame in frames):
        sys.stderr.flush()
        os._exit(1)


class Loaders:
    """Patches Paddle's loaders and decides when enough was seen."""

    def __init__(self, batches: int, cut: bool, evaluates: bool, writer: Any) -> None:
        self.batches = batches
        self.cut = cut
        self.evaluates = evaluates
        self.passes = 0
        self.train_calls = 0
        self.eval_calls = 0
        self._first: int | None = None
        self._writer = writer

    def patch(self) -> None:
        """Wrap the index sampler of every loader that is iterated from now on."""
        module = importlib.import_module("paddle.io.dataloader.dataloader_iter")
        owner = module._DataLoaderIterBase
        original = owner._index_sampler.fget
        loaders = self
        owner._index_sampler = property(lambda iterator: _Short(original(iterator), loaders))
        threading.excepthook = _ended

    def seen(self, layer: int, training: bool) -> None:
        """Count one call of a watched layer; ends the process when there have been enough.

        Of several nets the first one's training calls count: together they would seem to be many
        steps, and the evaluation would not be waited for.
        """
        if training:
            self._first = layer if self._first is None else self._first
            self.train_calls += layer == self._first
        else:
            self.eval_calls += 1
        if self._enough(training):
            self._writer.stop()

    def _enough(self, training: bool) -> bool:
        """Whether training and evaluation were seen, or the latter is not to come.

        Loaders fetch ahead, and a step may call a layer several times: hence the factors.
        """
        if not self.passes or self.train_calls < self.batches:
            return False
        if self.evaluates and self.eval_calls:
            return training or self.eval_calls >= 2 * self.batches
        return self.train_calls >= (_PATIENCE if self.evaluates else 2) * 2 * self.batches
