"""AST goes as often through a list as it was long before the loop, whatever the loop does to it.

A list that grows within the loop is left early, one that shrinks is read as it was. Nothing is
said. A `while` over what is left avoids it; SOT is right.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle


def grown(x):
    waiting = [3]
    for depth in waiting:
        if depth > 1:
            waiting.append(depth - 1)
        x = x * 2
    return x


def shrunk(x):
    scales = [1, 2, 3]
    for scale in scales:
        if scale == 2:
            scales.remove(scale)
        x = x * 2
    return x


def taken(x):
    waiting = [3]
    while waiting:
        depth = waiting.pop(0)
        if depth > 1:
            waiting.append(depth - 1)
        x = x * 2
    return x


def value(function, full_graph):
    if full_graph is not None:
        function = paddle.jit.to_static(function, full_graph=full_graph)
    return f"{float(function(paddle.ones([1]))):.1f}"


def values(full_graph):
    return " and ".join(value(function, full_graph) for function in (grown, shrunk))


dynamic, ast, sot = (values(full_graph) for full_graph in (None, True, False))
other = value(taken, True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, AST taken {other}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
