"""A static graph drops what an in-place function does, where its result is not used.

In static mode `scatter_` and `squeeze_` return a new tensor and leave the old one as it is. So
`paddle.scatter_(total, ...)` as a statement loses its values without an error (BEVFusion of
Paddle3D), and `image.squeeze_(0)` its shape (PETR). `total = paddle.scatter(total, ...)` avoids it.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        total = paddle.zeros([3, 4])
        paddle.scatter_(total, paddle.to_tensor([0, 2]), self.body(x))
        return total.abs().sum()


def total(full_graph):
    paddle.seed(0)
    net = Net()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    return f"{float(net(paddle.ones([2, 4]))):.3f}"


dynamic, ast, sot = total(None), total(True), total(False)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
