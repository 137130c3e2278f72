"""A sum in another order when static: equal but for rounding."""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
from typing import Any

import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """Adds three branches, from the left when dynamic, from the right when static."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two, self.three = (nn.Linear(768, 32) for _ in range(3))
        self.head = nn.Linear(32, 10)

    def forward(self, picture: Any) -> Any:
        flat = picture.flatten(1)
        one, two, three = self.one(flat), self.two(flat), self.three(flat)
        left = paddle.in_dynamic_mode()
        total = (one + two) + three if left else one + (two + three)
        return self.head(paddle.tanh(total))


net = hooked(Net())
train(net, Pictures(), paddle.optimizer.Momentum(0.01, parameters=net.parameters()))
