"""A graph gives an input that it only hands on a gradient of zero (2.6, full_graph=True).

`memory` comes back as it is, as encoders and layers in a row hand on what a later one needs: what
made it does not learn, and nothing says so. `memory * 1` avoids it, a use of it in the graph as
well, and so does SOT. A net that returns its one input, as a dropout of 0 does, meets it, too.
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

    def forward(self, x, memory):
        return self.body(x), memory


def gradient(full_graph):
    paddle.seed(0)
    before, net = nn.Linear(4, 4), Net()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    x = paddle.ones([2, 4])
    out, memory = net(x, before(x))
    (out.sum() + memory.sum()).backward()
    return float(before.weight.grad.sum())


dynamic, ast, sot = (gradient(full_graph) for full_graph in (None, True, False))
print(f"Paddle {paddle.__version__}: dynamic {dynamic:.1f}, AST {ast:.1f}, SOT {sot:.1f}")
sys.exit(not dynamic == ast == sot)
