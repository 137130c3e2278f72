"""Rows of tokens that are longer from batch to batch, as texts are."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
from common import hooked
from paddle import nn


class Net(nn.Layer):
    """An embedding, a mean, a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(50, 8)
        self.head = nn.Linear(8, 2)

    def forward(self, rows: Any) -> Any:
        return self.head(self.table(rows).mean(axis=1))


class Texts(paddle.io.Dataset):
    """Sixteen lengths, each of the four rows of a batch."""

    def __len__(self) -> int:
        return 256

    def __getitem__(self, index: int) -> tuple[Any, Any]:
        length = 4 + index // 4 % 16
        return np.full(length, index % 50, "int64"), np.array(index % 2, dtype="int64")


net = hooked(Net())
optimizer = paddle.optimizer.SGD(0.01, parameters=net.parameters())
for _ in range(4):
    for rows, label in paddle.io.DataLoader(Texts(), batch_size=4, num_workers=0):
        loss = nn.functional.cross_entropy(net(rows), label)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
