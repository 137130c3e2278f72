"""A net in eval mode gives no gradients when it is static; in dynamic mode it does.

A frozen judge, a teacher or a discriminator in eval mode must still pass gradients on.
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
    paddle.seed(0)
    net = Net()
    if static:
        paddle.jit.to_static(net, full_graph=True)
    net.eval()
    picture = paddle.ones([2, 4])
    picture.stop_gradient = False
    try:
        net(picture).sum().backward()
    except Exception as error:
        return type(error).__name__
    return "none" if picture.grad is None else f"{float(picture.grad.sum()):.6f}"


dynamic, static = gradient(False), gradient(True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, static {static}")
sys.exit(dynamic != static)
