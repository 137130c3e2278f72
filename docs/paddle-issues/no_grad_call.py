"""A call under `no_grad` between a forward and the next one takes what the next backward needs.

2.6 runs a call in a new scope while the outputs of an earlier call still wait for their backward.
What a scope keeps is decided by the first call in it. A first call under `no_grad` keeps nothing,
and the next call with gradients that gets this scope has no backward: AST raises an error, SOT
aborts. WGAN of PaddleGAN draws sample pictures so. `y = y.detach()` before the call under `no_grad`
avoids it, where no backward of `y` follows; so does a call with gradients whose result is detached.
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
        self.first = nn.Linear(4, 4)
        self.second = nn.Linear(4, 4)

    def forward(self, x):
        return self.second(self.first(x))


def train(mode):
    paddle.seed(0)
    net, x = Net(), paddle.ones([2, 4])
    if mode != "dynamic":
        paddle.jit.to_static(net, full_graph=mode == "AST")
    y = net(x)  # noqa: F841  its backward could still follow
    with paddle.no_grad():
        net(x)
    try:
        net(x).sum().backward()
    except RuntimeError:
        return "RuntimeError"
    return f"{float(net.first.weight.grad.sum()):.6f}"


if len(sys.argv) > 1:
    print(train(sys.argv[1]))
    sys.exit(0)
said = {}
for mode in ("dynamic", "AST", "SOT"):
    done = subprocess.run([sys.executable, __file__, mode], capture_output=True, text=True)
    said[mode] = done.stdout.split()[-1] if done.returncode == 0 else f"ends with {done.returncode}"
print(f"Paddle {paddle.__version__}: " + ", ".join(f"{mode} {out}" for mode, out in said.items()))
sys.exit(len(set(said.values())) > 1)
