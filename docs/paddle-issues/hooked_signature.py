"""`inspect.signature` of a hooked forward: Paddle 3 raises ValueError.

Its static functions are generic classes, of which `inspect` takes no signature. Trainers choose
the columns of their data by the signature of `forward` (PaddleNLP), and stop. The function behind
the hook, `forward.dygraph_function`, has one on all versions.
"""

import inspect
import sys

import paddle
from paddle import nn


class Net(nn.Layer):
    def forward(self, tokens, labels=None):
        return tokens


def outcome(net):
    try:
        return " and ".join(inspect.signature(net.forward).parameters)
    except ValueError as error:
        return type(error).__name__


dynamic = outcome(Net())
ast = outcome(paddle.jit.to_static(Net(), full_graph=True))
sot = outcome(paddle.jit.to_static(Net(), full_graph=False))
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
