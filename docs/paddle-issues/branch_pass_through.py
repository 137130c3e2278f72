"""A branch that passes an outer variable through gets wrong gradients (3.x, full_graph=True).

`out` is `y` itself where the condition does not hold, and `y` is used again after the branch.
`out = y.clone()` before the branch avoids it. The loss is right.
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
        out = y
        if x.mean() > 100.0:
            out = y * 3
        return out.sum() + y.sum()


def gradient(static):
    paddle.seed(0)
    net = Net()
    if static:
        paddle.jit.to_static(net, full_graph=True)
    net(paddle.ones([2, 4])).backward()
    return float(net.body.weight.grad.sum())


dynamic, static = gradient(False), gradient(True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic:.1f}, static {static:.1f}")
sys.exit(dynamic != static)
