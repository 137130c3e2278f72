"""Static cross entropy of 2.6 averages over ignored labels too, where `ignore_index` is negative.

Dynamic mode divides by the labels that count. -100 is the default, and what language models pad
their labels with. `reduction="none"` and a mean of one's own avoids it.
"""

import sys

import paddle
from paddle import nn


class Net(nn.Layer):
    def forward(self, logits, labels):
        return nn.functional.cross_entropy(logits, labels, ignore_index=-100)


def loss(static):
    paddle.seed(0)
    net = Net()
    if static:
        paddle.jit.to_static(net, full_graph=True)
    return float(net(paddle.rand([4, 8]), paddle.to_tensor([1, 2, -100, -100])))


dynamic, static = loss(False), loss(True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic:.6f}, static {static:.6f}")
sys.exit(dynamic != static)
