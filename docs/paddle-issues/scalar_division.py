"""A static graph of 3.3 multiplies by `1 / n` where dynamic mode divides by n.

For a tensor divided by a Python number. 2.6 multiplies in both modes. The numbers are one rounding
apart, which matters where it is amplified: BasicVSR of PaddleGAN divides coordinates that
`grid_sample` reads, whose gradient jumps at each pixel. `x * (1.0 / n)` is the same in both modes,
and so is `x / paddle.full([], n)`. The first is what dynamic mode of 2.6 computes, the second what
that of 3.3 does: no expression is both, so either changes dynamic training by a rounding somewhere.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Net(nn.Layer):
    def forward(self, x):
        return x / 63, x * (1.0 / 63)


def static(full_graph):
    net = Net()
    paddle.jit.to_static(net, full_graph=full_graph)
    return net


def differ(left, right):
    return int((left != right).sum())


numbers = paddle.arange(1000, dtype="float32")
dynamic = Net()(numbers)
ast, sot = static(True)(numbers), static(False)(numbers)
found = f"{differ(dynamic[0], ast[0])} AST, {differ(dynamic[0], sot[0])} SOT"
product = differ(dynamic[1], ast[1]) + differ(dynamic[1], sot[1])
print(f"Paddle {paddle.__version__}: quotients that differ: {found}; products: {product}")
sys.exit(found != "0 AST, 0 SOT")
