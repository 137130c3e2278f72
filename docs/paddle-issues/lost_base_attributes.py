"""SOT of 3.1 and later forgets what `super().__init__()` sets on an object that is made in a graph.

Reading such an attribute ends with "ObjectVariable ... has no attribute". `Base.__init__(self)` in
the place of `super().__init__()` avoids it, and so does AST.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Base:
    def __init__(self):
        self.others = []


class Part(Base):
    def __init__(self, value):
        super().__init__()
        self.value = value


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        part = Part(self.body(x))
        return part.value.sum() + len(part.others)


def end(static):
    net = Net()
    if static:
        paddle.jit.to_static(net, full_graph=False)
    try:
        net(paddle.ones([2, 4])).backward()
    except Exception as error:
        return type(error).__name__
    return "is right"


dynamic, static = end(False), end(True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, static {static}")
sys.exit(dynamic != static)
