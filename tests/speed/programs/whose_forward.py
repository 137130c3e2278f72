"""A net whose inner layer says whether its `forward` is the one that is written here.

Each line is of one turn: whether the outer layer is hooked, and whether the inner one is converted.
"""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Tokens, hooked
from paddle import nn


class Inner(nn.Layer):
    """A table and a mean."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(50, 8)

    def forward(self, rows: Any) -> Any:
        return self.table(rows).mean(axis=1)


class Outer(nn.Layer):
    """The inner layer and a linear one."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = Inner()
        self.head = nn.Linear(8, 2)

    def forward(self, rows: Any) -> Any:
        return self.head(self.inner(rows))


net = hooked(Outer())
optimizer = paddle.optimizer.SGD(0.01, parameters=net.parameters())
for _ in range(10):
    loader = paddle.io.DataLoader(Tokens(12), batch_size=4, num_workers=0)
    assert any(loader), "a look at the first batch, as PaddleRec's trainer takes, is no turn"
    for rows, label in loader:
        loss = nn.functional.cross_entropy(net(rows), label)
        is_hooked = hasattr(net.forward, "dygraph_function")
        print("FORWARD", is_hooked, net.inner.forward.__code__ is not Inner.forward.__code__)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
