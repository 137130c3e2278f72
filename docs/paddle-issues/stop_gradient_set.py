"""SOT of 2.6 does not see `value.stop_gradient = True` between operations.

Gradients flow on through the value. `value = value.detach()` avoids it. The loss is right.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        y = self.body(x)
        factor = y * 2
        factor.stop_gradient = True
        return (y * factor).sum()


def gradient(static):
    paddle.seed(0)
    net = Net()
    if static:
        paddle.jit.to_static(net, full_graph=False)
    net(paddle.ones([2, 4])).backward()
    return float(net.body.weight.grad.abs().sum())


dynamic, static = gradient(False), gradient(True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic:.6f}, static {static:.6f}")
sys.exit(dynamic != static)
