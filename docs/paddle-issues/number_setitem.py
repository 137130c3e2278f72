"""A number written into a slice of a tensor that has a gradient: wrong gradients in static graphs.

What was overwritten has no gradient any more. 3.x passes one on to it, silently, in both modes; SOT
of 2.6 aborts, because the gradient's operator has no translation to PIR. SMOKE of Paddle3D does so
(`dims[1::3, :4] = 0.`). Ints, slices and `...` as an index are hit, masks and lists are not. A
tensor in the place of the number avoids it: `y[:, 0] = paddle.zeros([1])`.
"""

import os
import subprocess
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
        y[:, 0] = 0.0
        return y


def train(mode):
    net = Net()
    if mode != "dynamic":
        paddle.jit.to_static(net, full_graph=mode == "AST")
    net(paddle.ones([2, 4])).sum().backward()
    return f"{float(net.body.bias.grad.sum()):.1f}"


if len(sys.argv) > 1:
    print(train(sys.argv[1]))
    sys.exit(0)
said = {}
for mode in ("dynamic", "AST", "SOT"):
    done = subprocess.run([sys.executable, __file__, mode], capture_output=True, text=True)
    said[mode] = done.stdout.split()[-1] if done.returncode == 0 else f"ends with {done.returncode}"
print(f"Paddle {paddle.__version__}: " + ", ".join(f"{mode} {out}" for mode, out in said.items()))
sys.exit(len(set(said.values())) > 1)
