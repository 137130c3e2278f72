"""A tensor turned into a Python list in forward, which AST cannot trace."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """Scales its output by a Python number made of a tensor."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(768, 10)

    def forward(self, picture: Any) -> Any:
        scale = picture.mean(axis=[1, 2, 3]).tolist()
        return self.body(picture.flatten(1)) * scale[0]


net = hooked(Net())
train(net, Pictures(), paddle.optimizer.SGD(0.01, parameters=net.parameters()))
