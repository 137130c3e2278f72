"""A parameter that is frozen and freed in turn keeps what it was at the trace (SOT and AST).

As a GAN does with its discriminator: untrainable for the generator's step, trainable for its own.
"""

import sys

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        return self.body(x) * 2


def gradients(static):
    paddle.seed(0)
    net = Net()
    if static:
        paddle.jit.to_static(net, full_graph=True)
    picture = paddle.ones([2, 4])
    picture.stop_gradient = False
    for parameter in net.parameters():
        parameter.trainable = False
    net(picture).sum().backward()
    for parameter in net.parameters():
        parameter.trainable = True
    net(picture).sum().backward()
    return sum(parameter.grad is not None for parameter in net.parameters())


dynamic, static = gradients(False), gradients(True)
print(f"Paddle {paddle.__version__}: {dynamic} gradients dynamic, {static} static")
sys.exit(dynamic != static)
