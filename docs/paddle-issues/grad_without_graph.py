"""`paddle.grad` without `create_graph` still passes gradients on in a static graph.

In dynamic mode what `paddle.grad(y, x, create_graph=False)` gives is a number to the next backward.
A static graph differentiates it again, silently; SOT of 2.6 raises. `.detach()` of the result
avoids it.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)

    def forward(self, x):
        x.stop_gradient = False
        y = self.fc(x).tanh().sum()
        return y + paddle.grad(y, x, create_graph=False)[0].sum()


class Detached(Net):
    def forward(self, x):
        x.stop_gradient = False
        y = self.fc(x).tanh().sum()
        return y + paddle.grad(y, x, create_graph=False)[0].detach().sum()


def gradient(kind, full_graph):
    paddle.seed(0)
    net = kind()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    try:
        net(paddle.ones([2, 3])).backward()
    except Exception as error:
        return type(error).__name__
    return f"{float(net.fc.weight.grad.abs().sum()):.4f}"


dynamic, ast, sot = (gradient(Net, full_graph) for full_graph in (None, True, False))
other = gradient(Detached, True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, AST detached {other}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
