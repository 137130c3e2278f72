"""A memoised function hands a tensor of one traced program to the next.

`functools.lru_cache` keeps what the function returned while AST traced the first program, which is
a variable of that program. The next one, for evaluation or for a batch of another size, is given it
too: 2.6 raises, 3.3 aborts. VideoSwin of PaddleVideo keeps its attention masks so: it trains, and
its evaluation fails. A function without the cache avoids it, and a buffer that `__init__` makes.
"""

import functools
import os
import subprocess
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle
from paddle import nn


@functools.lru_cache()
def mask(size):
    return paddle.ones([size]) * 2


class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 4)

    def forward(self, x):
        return self.body(x) * mask(4)


def evaluate(mode):
    """The result in eval mode, after a step of training."""
    paddle.seed(0)
    net = Net()
    if mode != "dynamic":
        paddle.jit.to_static(net, full_graph=mode == "AST")
    x = paddle.ones([2, 4])
    net(x).sum().backward()
    net.eval()
    try:
        return f"{float(net(x).sum()):.4f}"
    except Exception as error:
        return type(error).__name__


if len(sys.argv) > 1:
    print(evaluate(sys.argv[1]), flush=True)
    sys.exit(0)
said = {}
for mode in ("dynamic", "AST", "SOT"):
    done = subprocess.run([sys.executable, __file__, mode], capture_output=True, text=True)
    said[mode] = done.stdout.split()[-1] if done.returncode == 0 else f"ends with {done.returncode}"
print(f"Paddle {paddle.__version__}: " + ", ".join(f"{mode} {out}" for mode, out in said.items()))
sys.exit(len(set(said.values())) > 1)
