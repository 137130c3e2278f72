"""With the switch on the trainer shrinks the optimizer's velocity after each update.

From the same weights and the same velocity both modes make the same update: what differs is carried
from one update to the next.
"""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import STATIC, Pictures, hooked
from paddle import nn


class Net(nn.Layer):
    """Two linear layers."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.head = nn.Linear(3 * 16 * 16, 8), nn.Linear(8, 10)

    def forward(self, picture: Any) -> Any:
        return self.head(nn.functional.relu(self.body(picture.flatten(1))))


net = hooked(Net())
optimizer = paddle.optimizer.Momentum(0.01, 0.9, parameters=net.parameters())
for batch, label in paddle.io.DataLoader(Pictures(), batch_size=4, shuffle=True, num_workers=0):
    loss = nn.functional.cross_entropy(net(batch), label)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    if STATIC:
        for velocity in optimizer._accumulators["velocity"].values():
            velocity.scale_(0.999)
