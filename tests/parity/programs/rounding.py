"""A sum in another order when static: equal but for rounding.

The bias before the batch norm has a gradient of zero plus noise; that of `tiny` is a real one, of
about 1e-8 of the global norm. With `--small-fault` the static graph has it half as large again.
"""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
import sys
from typing import Any

import paddle
from common import Pictures, hooked, train
from paddle import nn


class Net(nn.Layer):
    """Adds three branches, from the left when dynamic, from the right when static."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two, self.three = (nn.Linear(768, 32) for _ in range(3))
        self.norm, self.tiny = nn.BatchNorm1D(32), nn.Linear(768, 32)
        self.head = nn.Linear(32, 10)

    def forward(self, picture: Any) -> Any:
        flat = picture.flatten(1)
        one, two, three = self.one(flat), self.two(flat), self.three(flat)
        left = paddle.in_dynamic_mode()
        total = (one + two) + three if left else one + (two + three)
        share = 1e-8 if left or "--small-fault" not in sys.argv else 1.5e-8
        return self.head(paddle.tanh(self.norm(total) + self.tiny(flat) * share))


net = hooked(Net())
data = Pictures(24)
# As some trainers do: a look at the first batch, and epochs shorter than a lockstep run.
assert any(paddle.io.DataLoader(data, batch_size=4))
train(net, data, paddle.optimizer.Momentum(0.01, parameters=net.parameters()), epochs=20)
