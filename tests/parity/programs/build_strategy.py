"""A BuildStrategy handed to to_static: passes that fuse operators and reuse memory.

With `--scalar` a number is added between a linear layer and its activation: Paddle 2.6.2 loses it
when `fuse_elewise_add_act_ops` is on.
"""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import sys
from typing import Any

import paddle
from common import STATIC, Pictures, train
from paddle import nn

SCALAR = "--scalar" in sys.argv


class Net(nn.Layer):
    """An addition before an activation, and a norm before one: what the passes look for."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2D(3, 8, 3), nn.BatchNorm2D(8)
        self.wide, self.head = nn.Linear(8 * 14 * 14, 32), nn.Linear(32, 10)

    def forward(self, picture: Any) -> Any:
        maps = nn.functional.relu(self.norm(self.conv(picture)))
        wide = self.wide(maps.flatten(1))
        return self.head(nn.functional.relu(wide + 0.5 if SCALAR else wide))


net = Net()
if STATIC:
    strategy = paddle.static.BuildStrategy()
    strategy.fuse_elewise_add_act_ops = True
    strategy.fuse_bn_act_ops = True
    strategy.enable_inplace = True
    net = paddle.jit.to_static(net, build_strategy=strategy)
train(net, Pictures(), paddle.optimizer.Momentum(0.01, parameters=net.parameters()))
