"""Gradients in float64 at the very weights that a run in float32 had: the truth beside its sides.

The run in float32 keeps, at a few pairs, the weights that its sides began from and the gradients
that each had before the first update. The run in float64 puts those weights in, computes what they
give, and writes how far each side was from it. Row-sparse gradients are left out.
"""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np

from ..values.digests import as_float, norm
from ..values.generators import random_state
from .side_values import arrays

TRUTH = "truth"
# Larger nets are not kept: of a side and pair so many numbers at most.
_LARGEST = 1 << 23


def _pairs(steps: int) -> frozenset[int]:
    return frozenset((0, steps // 2, steps - 1))


class Truth:
    """Keeps or reads the files `PATH.N.npz` of pair N; does nothing where no path was given."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._path: str = session.config.truth
        self._reads: bool = session.config.double
        self._pair = -1
        self._kept: dict[str, Any] = {}
        self._order: dict[str, str] = {}

    def at(self, pair: int) -> bool:
        """Whether this pair is one of those that are kept."""
        return bool(self._path) and pair in _pairs(self._session.config.steps)

    def known(self, pair: int) -> bool:
        """Whether this is the run in float64, and the other one kept the pair."""
        return self._reads and self.at(pair) and os.path.isfile(self._file(pair))

    def _file(self, pair: int) -> str:
        return f"{self._path}.{pair}.npz"

    def begin(self, pair: int, tensors: dict[str, Any]) -> None:
        """The first side is about to begin a pair."""
        self._pair, self._kept = pair, {}
        # Whether both runs draw the same is seen by the generators before the pair.
        self._order = random_state(self._session.paddle) if self.at(pair) else {}
        if not self.at(pair) or self._reads:
            return
        if sum(int(tensor.size) for tensor in tensors.values()) > _LARGEST:
            self._write(why="large")
            return
        self._kept = {f"start/{name}": value for name, value in arrays(tensors).items()}
        self._kept["random"] = np.array(json.dumps(self._order))

    def note(self, side: str, opt: int, losses: list[Any], grads: dict[str, Any]) -> None:
        """Keep the gradients of a side before its first update; of the truth, compare them."""
        if side == TRUTH:
            self._compare(opt, losses, grads)
        elif self._kept:
            self._kept[f"loss/{side}"] = np.array(json.dumps(losses))
            for name, value in grads.items():
                if isinstance(value, np.ndarray):
                    self._kept[f"grads/{side}/{name}"] = value

    def write(self) -> None:
        """The pair has ended: write what was kept of it."""
        if self._kept:
            np.savez(self._file(self._pair), **self._kept)
        self._kept = {}

    def put(self, tensors: dict[str, Any]) -> None:
        """Give the weights the values that they had in float32."""
        with np.load(self._file(self._pair)) as kept, self._session.paddle.no_grad():
            for name, tensor in tensors.items():
                key = f"start/{name}"
                if key in kept and list(kept[key].shape) == [int(n) for n in tensor.shape]:
                    tensor.set_value(kept[key].astype(str(tensor.numpy().dtype)))

    def _compare(self, opt: int, losses: list[Any], grads: dict[str, Any]) -> None:
        file = self._file(self._pair)
        with np.load(file) as kept:
            sides = [key[5:] for key in kept.files if key.startswith("loss/")]
            found: dict[str, list[Any]] = {}
            for name, value in grads.items():
                keys = [f"grads/{side}/{name}" for side in sides]
                if isinstance(value, np.ndarray) and keys[0] in kept:
                    true = as_float(value)
                    found[name] = [norm(true), *(self._far(kept, key, true) for key in keys)]
            self._write(
                opt=opt,
                sides=sides,
                drawn=json.loads(str(kept["random"])) == self._order,
                losses=[losses, *(json.loads(str(kept[f"loss/{side}"])) for side in sides)],
                grads=found,
            )
        os.unlink(file)

    @staticmethod
    def _far(kept: Any, key: str, true: Any) -> float | None:
        value = as_float(kept[key]) if key in kept else None
        return None if value is None or value.shape != true.shape else norm(value - true)

    def _write(self, **fields: Any) -> None:
        self._session.journal.write(t="truth", pair=self._pair, **fields)
