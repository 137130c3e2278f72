"""A net that leaves an output on itself, where nobody reads it."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """Keeps its middle, as nets do whose loss may want it."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.head = nn.Linear(768, 16), nn.Linear(16, 10)
        self.pairs: list[Any] = []

    def forward(self, picture: Any) -> Any:
        self.middle = self.body(picture.flatten(1))
        self.pairs = [self.middle, picture]
        return self.head(self.middle)


net = hooked(Net())
train(net, Pictures(), paddle.optimizer.SGD(0.01, parameters=net.parameters()))
