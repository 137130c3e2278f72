"""What stands beside the trained net goes wrong with the switch on, and no loss shows it.

`teacher` is a layer that the trainer averages, `average` a dict of arrays, `ended` the weights
themselves after the data's last batch, `fewer` those of a net with half as many updates.
"""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
import sys
from typing import Any

import paddle
from common import STATIC, Pictures, hooked
from paddle import nn

WHAT = sys.argv[1]
DECAY = 0.5 if STATIC else 0.9


class Net(nn.Layer):
    """Two linear layers."""

    def __init__(self, size: int = 10) -> None:
        super().__init__()
        self.body, self.head = nn.Linear(768, 8), nn.Linear(8, size)

    def forward(self, picture: Any) -> Any:
        return self.head(nn.functional.relu(self.body(picture.flatten(1))))


class Average:
    """The common form: a dict under the names of the weights."""

    def __init__(self, layer: Any) -> None:
        self.shadow = {name: one.numpy() for name, one in layer.state_dict().items()}

    def update(self, layer: Any) -> None:
        for name, one in layer.state_dict().items():
            self.shadow[name] = DECAY * self.shadow[name] + (1 - DECAY) * one.numpy()


def halve(layer: Any) -> None:
    """Spoil the weights with the switch on alone."""
    with paddle.no_grad():
        for parameter in layer.parameters() if STATIC else ():
            parameter.scale_(0.5)


def train_rarely(pictures: Any, number: int) -> None:
    """Train the second net at every second step; spoil it after its third update."""
    if number % 2:
        (rare(pictures) ** 2).mean().backward()
        second.step()
        second.clear_grad()
    if number == 5:
        halve(rare)


net, rare, teacher = hooked(Net()), Net(), Net()
for parameter in teacher.parameters():
    parameter.stop_gradient = True
average = Average(net)
optimizer = paddle.optimizer.Momentum(0.01, 0.9, parameters=net.parameters())
second = paddle.optimizer.SGD(0.01, parameters=rare.parameters())
data = Pictures(16 if WHAT == "ended" else 400)
for number, (batch, label) in enumerate(paddle.io.DataLoader(data, batch_size=4)):
    loss = nn.functional.cross_entropy(net(batch), label)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    if WHAT == "fewer":
        train_rarely(batch, number)
    if WHAT == "average":
        average.update(net)
    if WHAT == "ended" and number == 3:
        halve(net)
    if WHAT == "teacher":
        new = teacher.body.weight * DECAY + net.body.weight * (1 - DECAY)
        teacher.body.weight.set_value(new)
