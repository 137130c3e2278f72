"""The in-place pass overwrites a detached value between two graph breaks (SOT).

`middle.detach() * 3.0` stands between two calls that break the graph. Its result is written into
the memory of `middle`, which the next part of the graph still reads. The loss is wrong, silently.
`middle.clone().detach()` avoids it, and so does FLAGS_pir_apply_inplace_pass=0 on 3.x.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body, self.head = nn.Linear(768, 16), nn.Linear(16, 10)

    def forward(self, picture):
        middle = self.body(picture)
        first = paddle.ones([2]).numpy()
        boxes = middle.detach() * 3.0
        second = paddle.ones([2]).numpy()
        return self.head(middle) + boxes.mean() * float(first[0] * second[0])


def loss(static):
    paddle.seed(0)
    net = Net()
    picture = paddle.rand([4, 768])
    if static:
        paddle.jit.to_static(net, full_graph=False)
    found = 0.0
    for _ in range(2):
        found = float(net(picture).mean())
    return found


dynamic, static = loss(False), loss(True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic:.6f}, static {static:.6f}")
sys.exit(dynamic != static)
