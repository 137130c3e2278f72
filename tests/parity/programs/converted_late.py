"""A fault of AST's conversion below the hooked net, which shows late, in a net that rounds.

AST leaves out the `else` of a loop. The layer that has one reaches it when its values have become
small, at the seventh step, or with `--eval` in evaluation alone.
"""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
import sys
from typing import Any

import paddle
from common import hooked
from paddle import nn

EVAL = "--eval" in sys.argv


class Late(nn.Layer):
    """Scales what is small by a thousandth, in the `else` of a loop that nothing breaks."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = self.create_parameter([1])

    def forward(self, value: Any) -> Any:
        value = value * self.scale
        if (not self.training) if EVAL else (value.abs().mean() < 0.5):
            for number in range(2):
                if number == 5:
                    break
            else:
                value = value * 1.001
        return value


class Net(nn.Layer):
    """Adds three branches, from the left when dynamic, from the right when static."""

    def __init__(self) -> None:
        super().__init__()
        self.one, self.two, self.three = (nn.Linear(16, 32) for _ in range(3))
        self.late = Late()
        self.late.scale.set_value(paddle.ones([1]))

    def forward(self, value: Any) -> Any:
        one, two, three = self.one(value), self.two(value), self.three(value)
        return self.late((one + two) + three if paddle.in_dynamic_mode() else one + (two + three))


class Rows(paddle.io.Dataset):
    """The same row over and over."""

    def __len__(self) -> int:
        return 400

    def __getitem__(self, index: int) -> Any:
        return paddle.arange(16, dtype="float32").numpy() / 16


net = hooked(Net())
optimizer = paddle.optimizer.SGD(0.02, parameters=net.parameters())
for rows in paddle.io.DataLoader(Rows(), batch_size=4):
    loss = (net(rows) ** 2).mean()
    print("loss", float(loss), float(net.late.scale))
    loss.backward()
    optimizer.step()
    optimizer.clear_grad()
