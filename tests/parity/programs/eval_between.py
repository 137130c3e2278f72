"""Evaluation between steps, in eval mode and with a batch of another size."""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
from typing import Any

import paddle
from common import Pictures, hooked
from paddle import nn


class Net(nn.Layer):
    """A batch norm and dropout: both compute other things in evaluation.

    The last evaluation's output is kept in a buffer, so that a wrong one is seen.
    """

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2D(3, 8, 3), nn.BatchNorm2D(8)
        self.drop, self.head = nn.Dropout(0.2), nn.Linear(8 * 14 * 14, 10)

    def forward(self, picture: Any) -> Any:
        return self.head(self.drop(nn.functional.relu(self.norm(self.conv(picture)))).flatten(1))


net = Net()
shown = nn.Layer()
shown.register_buffer("evaluated", paddle.zeros([3, 10]))
net = hooked(net)
optimizer = paddle.optimizer.Adam(0.001, parameters=net.parameters())
for number, (picture, label) in enumerate(paddle.io.DataLoader(Pictures(80), batch_size=4)):
    nn.functional.cross_entropy(net(picture), label).backward()
    optimizer.step()
    optimizer.clear_grad()
    if number % 2:
        net.eval()
        with paddle.no_grad():
            shown.evaluated.set_value(net(picture[:3]))
        net.train()
