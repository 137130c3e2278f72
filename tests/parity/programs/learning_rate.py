"""A schedule that counts forwards: under AST the count stands still after the trace.

The rate falls after four forwards; up to then nothing differs.
"""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

from typing import Any

import paddle
from common import Pictures, hooked
from paddle import nn

COUNTS = {"forwards": 0}


class Net(nn.Layer):
    """One layer; how often it was called is kept outside of it."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Linear(3 * 16 * 16, 10)

    def forward(self, picture: Any) -> Any:
        COUNTS["forwards"] += 1
        return self.body(picture.flatten(1))


def share(_step: int) -> float:
    """What is left of the learning rate by now."""
    return 1.0 if COUNTS["forwards"] < 4 else 0.5


net = hooked(Net())
schedule = paddle.optimizer.lr.LambdaDecay(0.01, share)
optimizer = paddle.optimizer.SGD(schedule, parameters=net.parameters())
for batch, label in paddle.io.DataLoader(Pictures(), batch_size=4, shuffle=True, num_workers=0):
    loss = nn.functional.cross_entropy(net(batch), label)
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
    schedule.step()
