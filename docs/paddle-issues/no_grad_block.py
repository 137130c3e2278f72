"""AST of 2.6 takes no notice of `with paddle.no_grad()` in `forward`: gradients flow through it.

The loss is right, so nothing shows but other gradients. VisionLAN of PaddleOCR copies a mask in
such a block. `value.detach()` is the same in every mode.
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
        y = self.body(x)
        with paddle.no_grad():
            scale = y * 2
        return (y * scale).sum()


def gradient(full_graph):
    paddle.seed(0)
    net = Net()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    net(paddle.ones([2, 4])).backward()
    return f"{float(net.body.weight.grad.abs().sum()):.4f}"


dynamic, ast, sot = gradient(None), gradient(True), gradient(False)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
