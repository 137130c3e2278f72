"""A tensor that `forward` keeps on the layer belongs to the program that was being traced then.

`if self.index is None: self.index = paddle.arange(...)` keeps a variable of the first program. The
next one, for a batch of another size or for evaluation, is built with it: 2.6 raises, 3.3 raises
"Not found key in IRMapping" and may abort. The CRF layer of PaddleNLP keeps its indices so: its
second batch fails. A buffer that `__init__` makes avoids it, and a tensor that each call makes
anew; SOT is right.
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
        self.weights = None

    def forward(self, x):
        if self.weights is None or len(self.weights) < len(x):
            self.weights = paddle.full([x.shape[0], 4], 2.0)
        return self.body(x) * self.weights[: x.shape[0]]


class Anew(Net):
    def forward(self, x):
        return self.body(x) * paddle.full([x.shape[0], 4], 2.0)


def second(kind, full_graph):
    """The result of a smaller batch, after a first one."""
    paddle.seed(0)
    net = kind()
    if full_graph is not None:
        paddle.jit.to_static(net, full_graph=full_graph)
    net(paddle.ones([4, 4])).sum().backward()
    try:
        return f"{float(net(paddle.ones([2, 4])).sum()):.4f}"
    except Exception as error:
        return type(error).__name__


MODES = {"dynamic": (Net, None), "AST": (Net, True), "AST anew": (Anew, True), "SOT": (Net, False)}

if len(sys.argv) > 1:
    print(second(*MODES[sys.argv[1]]), flush=True)
    os._exit(0)  # Paddle 3.3 may abort when it takes the programs apart
said = {}
for mode in MODES:
    done = subprocess.run([sys.executable, __file__, mode], capture_output=True, text=True)
    said[mode] = done.stdout.split()[-1] if done.returncode == 0 else f"ends with {done.returncode}"
print(f"Paddle {paddle.__version__}: " + ", ".join(f"{mode} {out}" for mode, out in said.items()))
sys.exit(len(set(said.values())) > 1)
