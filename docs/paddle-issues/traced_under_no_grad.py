"""A program that is first traced under `no_grad` also serves the calls that need gradients.

Semi-supervised trainers call a net in training mode under `no_grad` for pseudo labels, then again
to train it. The weights then have no gradients on 3.3.1, and the backward pass fails on 2.6.2, also
where the first call had gradients. `paddle.jit.enable_to_static(False)` around the calls under
`no_grad` avoids it.
"""

import sys

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        return self.body(x)


def gradient(static):
    net = Net()
    if static:
        paddle.jit.to_static(net, full_graph=True)
    with paddle.no_grad():
        net(paddle.ones([2, 4]))
    try:
        net(paddle.ones([2, 4])).sum().backward()
    except RuntimeError:
        return "RuntimeError"
    return "none" if net.body.bias.grad is None else f"{float(net.body.bias.grad.sum()):.1f}"


dynamic, static = gradient(False), gradient(True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, static {static}")
sys.exit(dynamic != static)
