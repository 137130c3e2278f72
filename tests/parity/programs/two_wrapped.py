"""Two nets, each wrapped for several processes, and a collector that lists them by age."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import gc
from typing import Any

import paddle
from common import STATIC, Pictures, hooked, train
from paddle import nn


class First(nn.Layer):
    """A convolution."""

    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv2D(3, 8, 3)

    def forward(self, picture: Any) -> Any:
        return nn.functional.relu(self.conv(picture))


class Second(nn.Layer):
    """A head."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(8 * 14 * 14, 10)

    def forward(self, features: Any) -> Any:
        return self.head(features.flatten(1))


# The first grows old before the second is there in dynamic training, both do in static training.
one = paddle.DataParallel(hooked(First()))
gc.collect()
two = paddle.DataParallel(hooked(Second()))
if STATIC:
    gc.collect()
else:
    gc.disable()


def both(picture: Any) -> Any:
    """One net after the other."""
    return two(one(picture))


weights = [*one.parameters(), *two.parameters()]
train(both, Pictures(), paddle.optimizer.Momentum(0.01, parameters=weights))
