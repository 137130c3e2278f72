"""Python's `max` or `min` of a tensor and a number is always the number in AST of 2.6.

Python compares the two and asks for the truth of a variable, which 2.6 answers without an error.
ActBERT of PaddleVideo divides its loss by `max(count, 1e-6)`. 3.x raises a TypeError. SOT is right,
and so are `paddle.clip(count, min=1e-6)` and `paddle.maximum`.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Net(nn.Layer):
    def forward(self, x):
        return x.sum() / max(x.sum(), 0.5)


def quotient(full_graph):
    net = Net()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    try:
        return f"{float(net(paddle.ones([4]))):.1f}"
    except Exception as error:
        return type(error).__name__


dynamic, ast, sot = quotient(None), quotient(True), quotient(False)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
