"""A copy for a moving average, made before the hook: the collector's order of both differs by mode."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import copy
import gc
from typing import Any

import paddle
from common import STATIC, Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """A small convolution net."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2D(3, 8, 3)
        self.head = nn.Linear(8 * 14 * 14, 10)

    def forward(self, picture: Any) -> Any:
        return self.head(nn.functional.relu(self.conv(picture)).flatten(1))


# The collector lists young objects first. The copy stays young in dynamic training, as in a kit that
# makes few objects, and grows old in static training, as when a program is traced.
net = Net()
gc.collect()
average = copy.deepcopy(net)
if STATIC:
    gc.collect()
else:
    gc.disable()
net = hooked(net)
train(net, Pictures(), paddle.optimizer.Momentum(0.01, parameters=net.parameters()))
