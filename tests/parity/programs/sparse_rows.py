"""A sparse table that stays dynamic, before a static net, trained by an Adam that updates all rows.

Every second batch has fewer tokens, of lower numbers: its gradient lies where a longer one with
higher row numbers lay, which Paddle's Adam reads behind the last row.
"""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import hooked
from paddle import nn


class Net(nn.Layer):
    """A look-up, and behind it a linear layer, which is static where the switch is on."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(1000, 4, sparse=True)
        self.head = hooked(nn.Linear(4, 2))

    def forward(self, rows: Any) -> Any:
        return self.head(self.table(rows).mean(axis=1))


net = Net()
optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())
for step in range(60):
    tokens = range(900, 909) if step % 2 else range(8)
    label = paddle.to_tensor([step % 3 % 2])
    loss = nn.functional.cross_entropy(net(paddle.to_tensor([list(tokens)])), label)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
