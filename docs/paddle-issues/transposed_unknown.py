"""SOT of 3.1 and later leaves the channels open where it traces a layer's forward again.

A transposed convolution asks for their number. After a graph break each layer within a net is
traced by itself. Layers of one class share their code, so the second one's other channels, heights
and widths count as dimensions that change. `Conv2D` takes them; `Conv2DTranspose` and
`Conv3DTranspose` compare them with the filter's and refuse -1.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


class Up(nn.Layer):
    def __init__(self, channels):
        super().__init__()
        self.up = nn.Conv2DTranspose(channels, channels // 2, 2, 2)

    def forward(self, x):
        return self.up(x)


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.ups = nn.LayerList([Up(8), Up(4)])

    def forward(self, x):
        for up in self.ups:
            x = up(x)
            x.numpy()  # a graph break
        return x.sum()


def step(full_graph):
    paddle.seed(0)
    net = Net()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    try:
        net(paddle.ones([2, 8, 2, 2])).backward()
    except Exception as fault:
        return f"fails ({type(fault).__name__})"
    return "runs"


dynamic, sot = step(None), step(False)
print(f"Paddle {paddle.__version__}: {dynamic} dynamic, {sot} SOT")
sys.exit(dynamic != sot)
