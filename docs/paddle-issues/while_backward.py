"""Backward of a loop whose bound is a tensor: lost (full_graph=True).

The gradient of the loop's body is missing, from 2.6 to 3.3.
"""

import sys

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x, times):
        done = paddle.zeros([1], "int64")
        while done < times:
            x = self.body(x)
            done += 1
        return x.sum()


def gradient(static):
    paddle.seed(0)
    net = Net()
    if static:
        paddle.jit.to_static(net, full_graph=True)
    net(paddle.ones([2, 4]), paddle.to_tensor([3])).backward()
    found = net.body.weight.grad
    return "none" if found is None else f"{float(found.sum()):.6f}"


dynamic = gradient(False)
try:
    static = gradient(True)
except Exception as error:
    static = f"{type(error).__name__}: {str(error).strip().splitlines()[-1].strip()[:100]}"
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, static {static}")
sys.exit(dynamic != static)
