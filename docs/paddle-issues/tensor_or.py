"""AST gives another value of `a or b` and `a and b` than Python does, where `a` is a tensor.

Where `b` is a number it takes `b or a`, so that `a or 3` is always 3; of two tensors it makes a
truth value. Nothing is said. `a if a else b` avoids it. SOT is right, but that of 2.6 raises for
`or`.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle


def either(x):
    weight = x or 3
    return x * weight


def both(x):
    weight = x and x * 5
    return x * weight


def chosen(x):
    return (x if x else 3 * paddle.ones_like(x)) * 2.0


def value(function, full_graph):
    if full_graph is not None:
        function = paddle.jit.to_static(function, full_graph=full_graph)
    x = paddle.to_tensor([2.0], stop_gradient=False)
    try:
        made = function(x)
        made.sum().backward()
    except Exception as error:
        return type(error).__name__
    return f"{float(made):.1f} (gradient {float(x.grad):.1f})"


def values(full_graph):
    return " and ".join(value(function, full_graph) for function in (either, both))


dynamic, ast, sot = (values(full_graph) for full_graph in (None, True, False))
other = value(chosen, True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, AST chosen {other}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
