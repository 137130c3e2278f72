"""`x ** n` with a Python number n is computed otherwise in a static graph than in dynamic mode.

Dynamic mode runs `pow` with a number, a static graph `elementwise_pow` with a tensor. The powers
are one rounding apart. `paddle.pow(x, n)` runs the first of them in every mode.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Net(nn.Layer):
    def forward(self, x):
        return x**2, paddle.pow(x, 2)


def static(full_graph):
    net = Net()
    paddle.jit.to_static(net, full_graph=full_graph)
    return net


def differ(left, right):
    return int((left != right).sum())


paddle.seed(0)
numbers = paddle.rand([1000])
dynamic = Net()(numbers)
ast, sot = static(True)(numbers), static(False)(numbers)
found = f"{differ(dynamic[0], ast[0])} AST, {differ(dynamic[0], sot[0])} SOT"
called = differ(dynamic[1], ast[1]) + differ(dynamic[1], sot[1])
print(f"Paddle {paddle.__version__}: powers that differ: {found}; of paddle.pow: {called}")
sys.exit(found != "0 AST, 0 SOT")
