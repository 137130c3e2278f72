"""Mixed precision as the official guide writes it: auto_cast around the forward, GradScaler."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Pictures, hooked
from paddle import nn


class Net(nn.Layer):
    """Layers of both of auto_cast's lists: a convolution and linear layers, a norm, a softmax."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2D(3, 8, 3), nn.BatchNorm2D(8)
        self.head = nn.Linear(8 * 14 * 14, 10)

    def forward(self, picture: Any) -> Any:
        return self.head(nn.functional.relu(self.norm(self.conv(picture))).flatten(1))


net = hooked(Net())
optimizer = paddle.optimizer.Momentum(0.01, parameters=net.parameters())
scaler = paddle.amp.GradScaler(init_loss_scaling=1024.0)
for picture, label in paddle.io.DataLoader(Pictures(), batch_size=4, shuffle=True):
    with paddle.amp.auto_cast(level="O1"):
        loss = nn.functional.cross_entropy(net(picture), label)
    scaler.scale(loss).backward()
    scaler.step(optimizer)
    scaler.update()
    optimizer.clear_grad()
