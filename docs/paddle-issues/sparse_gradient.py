"""The gradient of nn.Embedding(sparse=True) in a static graph: lost in 2.6, made dense in 3.x.

Dynamic training gives a sparse gradient (SelectedRows). In a program made by to_static the table
gets no gradient at all (2.6.2), or a dense one (3.3.1), with which Adam moves every row.
"""

import sys

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.table = nn.Embedding(100, 4, sparse=True)
        self.head = nn.Linear(4, 1)

    def forward(self, words):
        return self.head(self.table(words))


def gradient(static):
    paddle.seed(0)
    net = Net()
    if static:
        paddle.jit.to_static(net, full_graph=True)
    net(paddle.to_tensor([[1, 2, 3]])).mean().backward()
    found = net.table.weight.grad
    if found is None:
        return "none"
    return "sparse" if found.is_selected_rows() else "dense"


dynamic, static = gradient(False), gradient(True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, static {static}")
sys.exit(dynamic != static)
