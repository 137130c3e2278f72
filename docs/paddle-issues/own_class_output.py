"""A net that returns an object of its own class: a static graph leaves it without its tensors.

Outputs are looked for in dicts, lists and tuples alone. AST hands over the object with variables
of the trace in it, which the loss cannot read. Panoptic-DeepLab of PaddleSeg returns a mapping of
its own class; `dict(found)` in its place avoids it.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Found:
    def __init__(self, value):
        self.value = value


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        return Found(self.body(x))


def outcome(full_graph):
    net = Net()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    try:
        return type(net(paddle.ones([2, 4])).value).__name__
    except Exception as error:
        return type(error).__name__


dynamic, ast, sot = outcome(None), outcome(True), outcome(False)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
