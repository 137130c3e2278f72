"""SOT of 3.x leaves the channels open where it traces a layer's forward again.

After a graph break each layer within a net is traced by itself. Layers of one class share their
code, so the second one's other channels, heights and widths count as dimensions that change. Most
operators take them. An instance norm, PReLU and (from 3.1) a transposed convolution compare the
channels with those of their weights and refuse -1.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn

LAYERS = {
    "Conv2DTranspose": lambda channels: nn.Conv2DTranspose(channels, channels, 2, 2),
    "InstanceNorm2D": nn.InstanceNorm2D,
    "PReLU": nn.PReLU,
}


class Part(nn.Layer):
    def __init__(self, layer, channels):
        super().__init__()
        self.layer = layer
        self.halved = nn.Conv2D(channels, channels // 2, 1)

    def forward(self, x):
        return self.halved(self.layer(x))


class Net(nn.Layer):
    def __init__(self, make):
        super().__init__()
        self.parts = nn.LayerList([Part(make(channels), channels) for channels in (8, 4)])

    def forward(self, x):
        for part in self.parts:
            x = part(x)
            x.numpy()  # a graph break
        return x.sum()


def runs(make, static):
    net = Net(make)
    if static:
        paddle.jit.to_static(net, full_graph=False)
    x = paddle.ones([2, 8, 2, 2])
    x.stop_gradient = False
    try:
        net(x).backward()
    except Exception:
        return False
    return True


refused = {
    static: [name for name, make in LAYERS.items() if not runs(make, static)]
    for static in (False, True)
}
dynamic, sot = (", ".join(names) or "none" for names in refused.values())
print(f"Paddle {paddle.__version__}: dynamic refuses {dynamic}, SOT {sot}")
sys.exit(dynamic != sot)
