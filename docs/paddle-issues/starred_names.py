"""SOT gives a starred name nothing where other names stand behind it: `first, *middle, last = row`.

It is empty, and nothing is said; the names around it are right. AST leaves one empty in the head
of a loop: `for first, *rest in rows`. A slice avoids both: `row[1:-1]`.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle


def middle(x):
    first, *rest, last = x.shape
    return x * first + sum(rest) * last


def front(x):
    *rest, last = (1, 2, 3)
    return x * last + len(rest)


def looped(x):
    for first, *rest in [(1, 2, 3), (4, 5, 6)]:
        x = x * first + sum(rest)
    return x


def sliced(x):
    row = x.shape
    return x * row[0] + sum(row[1:-1]) * row[-1]


def value(function, full_graph):
    if full_graph is not None:
        function = paddle.jit.to_static(function, full_graph=full_graph)
    try:
        return f"{float(function(paddle.ones([2, 3, 4])).mean()):.1f}"
    except Exception as error:
        return type(error).__name__


def values(full_graph):
    return " and ".join(value(function, full_graph) for function in (middle, front, looped))


dynamic, ast, sot = (values(full_graph) for full_graph in (None, True, False))
other = value(sliced, False)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, SOT {sot}, SOT sliced {other}")
sys.exit(not dynamic == ast == sot)
