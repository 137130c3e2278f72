"""A number that changed between two calls fails in SOT as an argument of a tensor's method.

From its second value on, SOT holds the number as a variable of the program. `x.transpose([n, ...])`
cannot take that and raises; on the way back to dynamic mode SOT asks for the signature of the
method, of which it holds the name alone: "'transpose' is not a callable object". The light model of
U-GAT-IT of PaddleGAN, whose spectral norm transposes by the number of the axis, ends there on 3.3.
AST is right, and so is the function, `paddle.transpose(x, [n, ...])`.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle


def first(x, axis):
    return x.transpose([axis, 1 - axis])[0, 1]


def values(full_graph):
    called = first
    if full_graph is not None:
        called = paddle.jit.to_static(first, full_graph=full_graph)
    x = paddle.arange(4, dtype="float32").reshape([2, 2])
    try:
        return " ".join(f"{float(called(x, axis)):.0f}" for axis in (0, 1, 0, 1))
    except Exception as error:
        return type(error).__name__


dynamic, ast, sot = values(None), values(True), values(False)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
