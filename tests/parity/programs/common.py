"""What the small training programs share: their switch, their data, their loop."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import paddle
from paddle import nn

STATIC = "--to-static" in sys.argv


class Pictures(paddle.io.Dataset):
    """Random pictures with labels; each is the same in every process."""

    def __init__(self, count: int = 400, size: int = 16, classes: int = 10) -> None:
        super().__init__()
        self._count, self._size, self._classes = count, size, classes

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        random = np.random.RandomState(index)
        picture = random.rand(3, self._size, self._size).astype("float32")
        return picture, np.array(index % self._classes, dtype="int64")


class Tokens(paddle.io.Dataset):
    """Random token rows with a label."""

    def __init__(self, count: int = 400, vocabulary: int = 50, length: int = 6) -> None:
        super().__init__()
        self._count, self._vocabulary, self._length = count, vocabulary, length

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        random = np.random.RandomState(index)
        row = random.randint(0, self._vocabulary, self._length).astype("int64")
        return row, np.array(index % 2, dtype="int64")


def hooked(layer: Any) -> Any:
    """The gate: static where the switch is on."""
    return paddle.jit.to_static(layer) if STATIC else layer


def train(net: Any, data: Any, optimizer: Any, epochs: int = 4) -> None:
    """A plain classification loop."""
    loader = paddle.io.DataLoader(data, batch_size=4, shuffle=True, num_workers=0)
    for _ in range(epochs):
        for batch, label in loader:
            loss = nn.functional.cross_entropy(net(batch), label)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
