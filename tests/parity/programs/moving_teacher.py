"""A teacher that forward moves in place: static it never moves, and no loss or gradient shows it."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """Keeps an average of its body's weights for later."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(3 * 16 * 16, 16)
        self.teacher = nn.Linear(3 * 16 * 16, 16, bias_attr=False)
        self.head = nn.Linear(16, 10)
        self.teacher.weight.stop_gradient = True

    def forward(self, picture: Any) -> Any:
        self.teacher.weight.scale_(0.9)
        self.teacher.weight.add_(self.body.weight.detach() * 0.1)
        return self.head(paddle.tanh(self.body(picture.flatten(1))))


net = hooked(Net())
trained = [p for p in net.parameters() if not p.stop_gradient]
train(net, Pictures(), paddle.optimizer.SGD(0.01, parameters=trained))
