"""The in-place pass of Paddle 3 overwrites a tensor that the net returns (AST and SOT).

`first + second` is written into the memory of `first`, although the net returns `first` too. So
it is with a difference, and with what becomes of a reshaped, squeezed or flattened tensor: with
all that backward does not need. The returned numbers are wrong, silently, and so is a loss of
them. Where a graph breaks, all that is read behind the break is returned.
`first.clone() + second` avoids it, and so does FLAGS_pir_apply_inplace_pass=0.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.one, self.other = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x):
        first, second = self.one(x), self.other(x)
        return first + second, first


def returned(full_graph):
    paddle.seed(0)
    net = Net()
    x = paddle.rand([2, 4])
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    return float(net(x)[1].sum())


dynamic, ast, sot = returned(None), returned(True), returned(False)
print(f"Paddle {paddle.__version__}: dynamic {dynamic:.4f}, AST {ast:.4f}, SOT {sot:.4f}")
sys.exit(not dynamic == ast == sot)
