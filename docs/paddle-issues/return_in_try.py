"""AST of 2.6 loses a `return` in a `try` or `with` block where code stands behind: NameError.

What follows is to run unless the function has returned, which AST asks of a name that it never
binds for such a `return`; the block need not run. RMSNorm of DeepSeek-V2 in PaddleNLP has one
for another device. A name that is bound in the `try` and returned behind it avoids it; SOT is
right.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle


def halved(x, other=False):
    if other:
        try:
            return x.half()
        except AttributeError:
            raise ValueError("no half") from None
    return x * 0.5


def named(x, other=False):
    if other:
        try:
            y = x.half()
        except AttributeError:
            raise ValueError("no half") from None
        return y
    return x * 0.5


def value(function, full_graph):
    if full_graph is not None:
        function = paddle.jit.to_static(function, full_graph=full_graph)
    try:
        return f"{float(function(paddle.ones([1]))):.1f}"
    except Exception as error:
        return type(error).__name__


dynamic, ast, sot = (value(halved, full_graph) for full_graph in (None, True, False))
other = value(named, True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, AST named {other}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
