"""A static graph squeezes an axis whose length it does not know; dynamic mode looks first.

`x.squeeze(0)` leaves an axis of 3 as it is. Where the length is unknown when the graph is traced,
by an InputSpec or because SOT of 3.x has met another length before, the axis is taken for one of
length 1. What follows sees a wrong rank. `x.reshape([-1, 4])` says what is meant.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Net(nn.Layer):
    def forward(self, x):
        return x.mean() * 0.0 + len(x.squeeze(0).shape)


def rank(full_graph):
    net = Net()
    if full_graph is not None:
        spec = [paddle.static.InputSpec([None, 4], "float32")] if full_graph else None
        paddle.jit.to_static(net, full_graph=full_graph, input_spec=spec)
    net(paddle.ones([2, 4]))
    return int(net(paddle.ones([3, 4])))


dynamic, ast, sot = rank(None), rank(True), rank(False)
print(f"Paddle {paddle.__version__}: rank {dynamic} dynamic, {ast} AST, {sot} SOT")
sys.exit(not dynamic == ast == sot)
