"""AST leaves out the `else` of a loop: what stands there never runs, and nothing is said.

So for `for` and for `while`, with a `break` in the loop and without one, on numbers and on tensors.
What is to run where nothing broke the loop can stand behind it, under a flag; SOT is right.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle


def looked_for(x, wanted=5):
    for number in range(3):
        if number == wanted:
            break
    else:
        x = x * 2
    return x


def counted(x):
    number = 0
    while number < 3:
        number += 1
    else:
        x = x * 2
    return x


def flagged(x, wanted=5):
    found = False
    for number in range(3):
        if number == wanted:
            found = True
    if not found:
        x = x * 2
    return x


def value(function, full_graph):
    if full_graph is not None:
        function = paddle.jit.to_static(function, full_graph=full_graph)
    return f"{float(function(paddle.ones([1]))):.1f}"


def values(full_graph):
    return " and ".join(value(function, full_graph) for function in (looked_for, counted))


dynamic, ast, sot = (values(full_graph) for full_graph in (None, True, False))
other = value(flagged, True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, AST flagged {other}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
