"""Tensors of a static graph have no `fill_diagonal_`, `fill_` or `zero_` (AST; SOT of 2.6).

Dynamic mode alone has these methods. AST ends in AttributeError on both Paddles, SOT of 2.6 in
InnerError; SOT of 3.x leaves the graph for them. ProphetNet of PaddleNLP makes the mask of its
attention so. A function that gives a new tensor (`paddle.where`, `paddle.full_like`,
`paddle.zeros_like`) avoids it.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle


def diagonal(x):
    return x * paddle.ones([2, 2]).fill_diagonal_(0.0)


def filled(x):
    return x * paddle.ones([2, 2]).fill_(3.0)


def emptied(x):
    return x + paddle.ones([2, 2]).zero_()


def chosen(x):
    return paddle.where(paddle.eye(2) > 0, paddle.zeros([2, 2]), x)


def value(function, full_graph):
    if full_graph is not None:
        function = paddle.jit.to_static(function, full_graph=full_graph)
    try:
        return f"{float(function(paddle.ones([2, 2])).sum()):.1f}"
    except Exception as error:
        return type(error).__name__


def values(full_graph):
    return " ".join(value(function, full_graph) for function in (diagonal, filled, emptied))


dynamic, ast, sot = (values(full_graph) for full_graph in (None, True, False))
other = value(chosen, True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, AST chosen {other}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
