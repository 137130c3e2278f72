"""Several processes train one net together; `--after` puts the hook behind the wrap."""

# Paddle 2.6 has no types, so its classes cannot be subclassed under strict rules.
# mypy: disable-error-code=misc

from __future__ import annotations

import sys

import paddle
from common import Pictures, hooked, train
from paddle import distributed, nn

AFTER = "--after" in sys.argv
MANY = distributed.get_world_size() > 1


class Net(nn.Layer):
    """Two convolutions with norms; one head is left out of the loss where that is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Conv2D(3, 4, 3), nn.BatchNorm2D(4), nn.ReLU(), nn.Flatten())
        self.head = nn.Linear(4 * 14 * 14, 10)
        if "--unused" in sys.argv:
            self.other = nn.Linear(4 * 14 * 14, 10)

    def forward(self, x: paddle.Tensor) -> paddle.Tensor:
        """Ten scores a picture."""
        return self.head(self.body(x))


if MANY:
    distributed.init_parallel_env()
rank = distributed.get_rank()
# Other weights in each process until the wrap hands round those of the first.
paddle.seed(7 + rank)
net = Net()
if not AFTER:
    net = hooked(net)
if MANY:
    net = paddle.DataParallel(net, find_unused_parameters="--unused" in sys.argv)
if AFTER:
    net = hooked(net)
# A fault of one process alone, and of static training alone.
rate = 0.02 if "--apart" in sys.argv and rank and "--to-static" in sys.argv else 0.01
data = paddle.io.Subset(Pictures(), list(range(rank, 400, 2)))
train(net, data, paddle.optimizer.SGD(rate, parameters=net.parameters()))
