"""Python's random numbers in forward: drawn once, at the trace, under AST."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import random
from typing import Any

import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """Scales its features by a number drawn in every forward."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2D(3, 8, 3)
        self.head = nn.Linear(8 * 14 * 14, 10)

    def forward(self, picture: Any) -> Any:
        scale = 0.5 + random.random()
        return self.head(nn.functional.relu(self.conv(picture) * scale).flatten(1))


random.seed(3)
net = hooked(Net())
train(net, Pictures(), paddle.optimizer.Momentum(0.01, parameters=net.parameters()))
