"""A print of a tensor in forward: SOT breaks the graph there, and Paddle 2.6 loses gradients."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """Prints the mean of its middle."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.head = nn.Linear(768, 16), nn.Linear(16, 10)

    def forward(self, picture: Any) -> Any:
        middle = paddle.tanh(self.body(picture.flatten(1)))
        print(middle.mean())
        return self.head(middle)


net = hooked(Net())
train(net, Pictures(), paddle.optimizer.SGD(0.01, parameters=net.parameters()))
