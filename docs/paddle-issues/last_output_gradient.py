"""A graph that returns a value and an operation on it loses a part of the gradient (2.6).

Of `return y, y * 2` only what comes by the second output reaches the weights. Returning
`y.clone()`, or letting another operation be the last one, avoids it. The loss is right.
"""

import sys

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        y = self.body(x)
        return y, y * 2


def gradient(static):
    paddle.seed(0)
    net = Net()
    if static:
        paddle.jit.to_static(net, full_graph=True)
    first, second = net(paddle.ones([2, 4]))
    (first.sum() + second.sum()).backward()
    return float(net.body.weight.grad.sum())


dynamic, static = gradient(False), gradient(True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic:.1f}, static {static:.1f}")
sys.exit(dynamic != static)
