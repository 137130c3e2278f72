"""A Python counter that schedules a factor: under AST it stays as it was at the trace."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """Warms its output up with a counter of forwards."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(3 * 16 * 16, 16)
        self.head = nn.Linear(16, 10)
        self.seen = 0

    def forward(self, picture: Any) -> Any:
        self.seen += 1
        return self.head(paddle.tanh(self.body(picture.flatten(1)))) * min(1.0, self.seen / 10.0)


net = hooked(Net())
train(net, Pictures(), paddle.optimizer.SGD(0.01, parameters=net.parameters()))
