"""A tensor that a graph returns twice and computes with gets twice its gradient (2.6, AST).

Of `return y, y, f(y)` what comes by `f` counts double for all that made `y`, four times if it is
returned three times, and nothing says so: the loss is right. A recognition net that returns its
features under two names meets it. `y.clone()` in the second place avoids it, and so does SOT.
"""

import sys

import paddle
from paddle import nn


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        features = self.body(x)
        return {"body": features, "features": features, "logits": self.head(features)}


def gradient(full_graph):
    paddle.seed(0)
    net = Net()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    net(paddle.ones([2, 4]))["logits"].sum().backward()
    return float(net.body.weight.grad.sum())


dynamic, ast, sot = (gradient(mode) for mode in (None, True, False))
print(f"Paddle {paddle.__version__}: dynamic {dynamic:.4f}, AST {ast:.4f}, SOT {sot:.4f}")
sys.exit(not dynamic == ast == sot)
