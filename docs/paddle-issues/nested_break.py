"""AST of 3.x leaves a nested loop once and never runs it again: its `break` stays set.

The loop runs in the first turn of the one around it, up to its `break`, and in no later turn;
nothing is said. Which loops they are, and whether a tensor is in the condition, does not matter.
BigBird of PaddleNLP makes the mask of its attention so. A function of its own for the nested loop
avoids it; SOT and AST of 2.6 are right.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle


def nested(x):
    y = x * 0
    for _ in range(3):
        for column in range(3):
            if column == 2:
                break
            y = y + x
    return y


def row(y, x):
    for column in range(3):
        if column == 2:
            break
        y = y + x
    return y


def parted(x):
    y = x * 0
    for _ in range(3):
        y = row(y, x)
    return y


def value(function, full_graph):
    if full_graph is not None:
        function = paddle.jit.to_static(function, full_graph=full_graph)
    return f"{float(function(paddle.ones([1]))):.1f}"


dynamic, ast, sot = (value(nested, full_graph) for full_graph in (None, True, False))
other = value(parted, True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, AST parted {other}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
