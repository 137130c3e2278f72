"""The backward of a graph ends where it gives an empty tensor of a squeeze (2.6, full_graph=False).

No gradient is asked of `kept`. A branch over `len(kept)` breaks the graph behind it, so that the
graph gives `kept` though `forward` does not. `paddle.nonzero` alone is well; a branch over the
tensor that it gives, before the squeeze, avoids it, and so does AST.
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

    def forward(self, x):
        y = self.body(x)
        kept = paddle.nonzero(x[:, 0] > 100.0).squeeze(1)
        if len(kept) > 0:
            y = paddle.gather(y, kept)
        return y.sum()


def gradient(full_graph):
    paddle.seed(0)
    net = Net()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    try:
        net(paddle.ones([2, 4])).backward()
    except ValueError:
        return "ValueError"
    return f"{float(net.body.weight.grad.sum()):.1f}"


said = [gradient(full_graph) for full_graph in (None, True, False)]
print("Paddle {}: dynamic {}, AST {}, SOT {}".format(paddle.__version__, *said))
sys.exit(len(set(said)) > 1)
