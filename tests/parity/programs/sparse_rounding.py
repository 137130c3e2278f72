"""A sparse table before a net that is equal but for rounding; gradients are cleared before a step."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Tokens, hooked
from paddle import nn


class Body(nn.Layer):
    """Adds three branches, from the left when dynamic, from the right when static."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two, self.three = (nn.Linear(64, 64) for _ in range(3))
        self.head = nn.Linear(64, 2)

    def forward(self, mean: Any) -> Any:
        one, two, three = self.one(mean), self.two(mean), self.three(mean)
        left = paddle.in_dynamic_mode()
        total = (one + two) + three if left else one + (two + three)
        return self.head(paddle.tanh(total))


class Net(nn.Layer):
    """A look-up, and behind it a body that is static where the switch is on."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(50, 64, sparse=True)
        self.body = hooked(Body())

    def forward(self, rows: Any) -> Any:
        return self.body(self.table(rows).mean(axis=1))


net = Net()
optimizer = paddle.optimizer.Adam(0.01, parameters=net.parameters())
for batch, label in paddle.io.DataLoader(Tokens(), batch_size=4, num_workers=0):
    optimizer.clear_grad()
    loss = nn.functional.cross_entropy(net(batch), label)
    loss.backward()
    optimizer.step()
