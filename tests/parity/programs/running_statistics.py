"""The trainer lowers the momentum of a batch norm: a static graph keeps the one of its trace.

The running statistics of `nn.BatchNorm` are parameters that nothing trains, not buffers. In training
nothing else depends on them.
"""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Pictures, hooked
from paddle import nn


class Net(nn.Layer):
    """A convolution, a batch norm, a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.body, self.norm = nn.Conv2D(3, 8, 3), nn.BatchNorm(8)
        self.head = nn.Linear(8 * 14 * 14, 10)

    def forward(self, picture: Any) -> Any:
        return self.head(nn.functional.relu(self.norm(self.body(picture))).flatten(1))


net = hooked(Net())
trained = [parameter for parameter in net.parameters() if not parameter.stop_gradient]
optimizer = paddle.optimizer.SGD(0.01, parameters=trained)
for batch, label in paddle.io.DataLoader(Pictures(), batch_size=4, shuffle=True, num_workers=0):
    loss = nn.functional.cross_entropy(net(batch), label)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    net.norm._momentum *= 0.9
