"""Batches of four sizes and pictures of two: with `--spec` their dimensions are None in a spec.

With `--other-spec` it gives a size that no picture has, as a kit does whose config crops another.
"""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import paddle
from common import STATIC
from paddle import nn

# Four different shapes, all met in the first half of twelve steps.
SHAPES = ((4, 16), (3, 16), (4, 20), (2, 20))


class Net(nn.Layer):
    """Takes pictures of any size."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.pool = nn.Conv2D(3, 8, 3), nn.AdaptiveAvgPool2D(1)
        self.head = nn.Linear(8, 10)

    def forward(self, picture: Any) -> Any:
        return self.head(self.pool(nn.functional.relu(self.conv(picture))).flatten(1))


net = Net()
SPECS = {"--spec": [None, 3, None, None], "--other-spec": [None, 3, 24, 24]}
if STATIC:
    shape = next((SPECS[word] for word in sys.argv if word in SPECS), None)
    spec = [paddle.static.InputSpec(shape, "float32", "picture")] if shape else None
    net = paddle.jit.to_static(net, input_spec=spec)
optimizer = paddle.optimizer.Momentum(0.01, parameters=net.parameters())
for number in range(40):
    count, size = SHAPES[number % len(SHAPES)]
    random = np.random.RandomState(number)
    picture = paddle.to_tensor(random.rand(count, 3, size, size).astype("float32"))
    label = paddle.to_tensor(random.randint(0, 10, count).astype("int64"))
    loss = nn.functional.cross_entropy(net(picture), label)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
