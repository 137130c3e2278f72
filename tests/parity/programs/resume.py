"""Training that writes a checkpoint at its end, or begins from one.

`--save FOLDER` trains six steps and saves; `--load FOLDER` goes on with the six that follow;
`--whole` trains all twelve. The switch of each run is its own.
"""

from __future__ import annotations

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc
import argparse
from typing import Any

import paddle
from common import Pictures, hooked
from paddle import nn


class Net(nn.Layer):
    """A net with a buffer, trained by an optimizer with moments and a schedule."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.norm = nn.Conv2D(3, 8, 3), nn.BatchNorm2D(8)
        self.head = nn.Linear(8 * 14 * 14, 10)

    def forward(self, picture: Any) -> Any:
        return self.head(nn.functional.relu(self.norm(self.conv(picture))).flatten(1))


parser = argparse.ArgumentParser()
parser.add_argument("--save")
parser.add_argument("--load")
parser.add_argument("--whole", action="store_true")
parser.add_argument("--to-static", action="store_true")
arguments = parser.parse_args()
net = hooked(Net())
schedule = paddle.optimizer.lr.StepDecay(0.002, step_size=4)
optimizer = paddle.optimizer.Adam(schedule, parameters=net.parameters())
if arguments.load:
    net.set_state_dict(paddle.load(f"{arguments.load}/net.pdparams"))
    optimizer.set_state_dict(paddle.load(f"{arguments.load}/net.pdopt"))
batches = list(paddle.io.DataLoader(Pictures(48), batch_size=4))
for picture, label in (
    batches[6:] if arguments.load else batches if arguments.whole else batches[:6]
):
    nn.functional.cross_entropy(net(picture), label).backward()
    optimizer.step()
    optimizer.clear_grad()
    schedule.step()
if arguments.save:
    paddle.save(net.state_dict(), f"{arguments.save}/net.pdparams")
    paddle.save(optimizer.state_dict(), f"{arguments.save}/net.pdopt")
