"""NumPy's random numbers in `forward`: AST draws them once, SOT of 2.6 does not find `rand`.

SOT of 3.x breaks the graph and draws as dynamic mode does. AST takes the numbers of the trace into
the program, so that PETR's grid mask or BigBird's attention pattern never changes again. SOT of 2.6
ends with "type object 'module' has no attribute 'rand'". Draw in the data loader, or by Paddle.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import numpy as np
import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        return self.body(x) * float(np.random.rand())


def outcome(full_graph):
    paddle.seed(0)
    np.random.seed(0)
    net = Net()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    try:
        return str(len({float(net(paddle.ones([2, 4])).sum()) for _ in range(4)}))
    except Exception as error:
        return type(error).__name__


dynamic, ast, sot = outcome(None), outcome(True), outcome(False)
drawn = f"dynamic {dynamic}, AST {ast}, SOT {sot}"
print(f"Paddle {paddle.__version__}: values of 4 calls: {drawn}")
sys.exit(drawn != "dynamic 4, AST 4, SOT 4")
