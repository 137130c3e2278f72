"""Tracing a program drops the gradients that its parameters have at that time.

A step that calls backward twice before the optimizer steps, as semi-supervised trainers do, loses
the gradients of the first one where the second forward is traced in between: `_set_grad_type` puts
empty ones in their place. Later steps trace nothing and are right. Tracing all programs before the
first step avoids it where no new size traces another one, and so does one backward for all losses.
"""

import sys

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x, labelled):
        y = self.body(x)
        return y.mean() if labelled else y.abs().sum()


def gradients(static):
    paddle.seed(0)
    net, found = Net(), []
    if static:
        paddle.jit.to_static(net, full_graph=True)
    for _ in range(2):
        net(paddle.ones([2, 4]), True).backward()
        net(paddle.ones([2, 4]), False).backward()
        found.append(float(net.body.weight.grad.sum()))
        net.clear_gradients()
    return found


dynamic, static = gradients(False), gradients(True)
steps = ", ".join(f"{a:.1f} dynamic, {b:.1f} static" for a, b in zip(dynamic, static))
print(f"Paddle {paddle.__version__}: {steps}")
sys.exit(dynamic != static)
