"""One of thirty layers is hooked, and the trainer calls `net.forward(x)`, past `__call__`."""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
from typing import Any

import paddle
from common import Pictures, hooked
from paddle import nn


class Net(nn.Layer):
    """A deep net with a small head."""

    def __init__(self) -> None:
        super().__init__()
        inner = [nn.Linear(16, 16) for _ in range(28)]
        self.body = nn.LayerList([nn.Linear(768, 16), *inner])
        self.head = hooked(nn.Linear(16, 10))

    def forward(self, picture: Any) -> Any:
        hidden = picture.flatten(1)
        for layer in self.body:
            hidden = nn.functional.relu(layer(hidden))
        return self.head(hidden)


net = Net()
optimizer = paddle.optimizer.SGD(0.1, parameters=net.parameters())
for picture, label in paddle.io.DataLoader(Pictures(), batch_size=4):
    loss = nn.functional.cross_entropy(net.forward(picture), label)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
