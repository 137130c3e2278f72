"""A net that returns a value and its last operation on it: Paddle 2.6 loses a part of its gradient."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Pictures, hooked, train
from paddle import nn


class Features(nn.Layer):
    """Features, and these twice as large."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(768, 16)

    def forward(self, picture: Any) -> Any:
        middle = paddle.tanh(self.body(picture.flatten(1)))
        return middle, middle * 2


class Net(nn.Layer):
    """A head on both."""

    def __init__(self) -> None:
        super().__init__()
        self.features, self.head = Features(), nn.Linear(16, 10)

    def forward(self, picture: Any) -> Any:
        first, second = self.features(picture)
        return self.head(first + second)


net = Net()
hooked(net.features)
train(net, Pictures(), paddle.optimizer.SGD(0.01, parameters=net.parameters()))
