"""AST writes `nonlocal` for a generator's variable that is named before and within a branch.

`(part for part in parts)` binds `part` in a scope of its own. AST takes it for a name of the
function's that the branch changes, and writes `nonlocal part` into the branch's function where
nothing binds it: SyntaxError. Reformer of PaddleNLP cuts its input so. A list comprehension, or
another name for the variable within the branch, avoids it; SOT is right.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle


def doubled(x):
    flat = all(part.ndim == 1 for part in [x, x])
    if flat:
        x = sum(part for part in [x, x])
    return x


def renamed(x):
    flat = all(part.ndim == 1 for part in [x, x])
    if flat:
        x = sum(one for one in [x, x])
    return x


def value(function, full_graph):
    if full_graph is not None:
        function = paddle.jit.to_static(function, full_graph=full_graph)
    try:
        return f"{float(function(paddle.ones([1]))):.1f}"
    except Exception as error:
        return type(error).__name__


dynamic, ast, sot = (value(doubled, full_graph) for full_graph in (None, True, False))
other = value(renamed, True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, AST renamed {other}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
