"""Dynamic mode of 3.1 and later writes rows of a sliced view to the wrong places (CPU).

`targets = x[..., :n]` is a view whose rows do not follow one another; `targets[rows] = values` with
a tensor of row numbers writes with another stride, without an error, and for the last rows beyond
the tensor's memory. Static graphs are right, so that PETR of Paddle3D trains on other boxes there.
`paddle.zeros([...])` of the final shape avoids it.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Net(nn.Layer):
    def forward(self, x, rows, values):
        targets = paddle.zeros_like(x)[..., :2]
        targets[rows] = values
        return targets


def row(full_graph):
    net = Net()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    written = net(paddle.ones([4, 3]), paddle.to_tensor([1]), paddle.to_tensor([[1.0, 2.0]]))
    return written[1].tolist()


dynamic, ast, sot = row(None), row(True), row(False)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
