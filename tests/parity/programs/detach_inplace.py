"""A detached value between two graph breaks: Paddle's in-place pass writes into the value itself."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """Scales a detached value, as detection heads do with boxes."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.head = nn.Linear(768, 16), nn.Linear(16, 10)

    def forward(self, picture: Any) -> Any:
        middle = self.body(picture.flatten(1))
        first = paddle.ones([2]).numpy()
        boxes = middle.detach() * 3.0
        second = paddle.ones([2]).numpy()
        return self.head(middle) + boxes.mean() * float(first[0] * second[0])


net = hooked(Net())
train(net, Pictures(), paddle.optimizer.SGD(0.01, parameters=net.parameters()))
