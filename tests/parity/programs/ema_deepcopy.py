"""A copy for a moving average, made after the hook: on Paddle 2.6 that makes both dynamic."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import copy
from typing import Any

import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """A small convolution net."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2D(3, 8, 3)
        self.norm = nn.BatchNorm2D(8)
        self.head = nn.Linear(8 * 14 * 14, 10)

    def forward(self, picture: Any) -> Any:
        return self.head(nn.functional.relu(self.norm(self.conv(picture))).flatten(1))


net = hooked(Net())
average = copy.deepcopy(net)
train(net, Pictures(), paddle.optimizer.Momentum(0.01, parameters=net.parameters()))
