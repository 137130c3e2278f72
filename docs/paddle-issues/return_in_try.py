"""AST loses a `return` in a `try` or `with` block where code stands behind: 3.x goes on behind it.

What follows is to run unless the function has returned. AST of 3.x runs it all the same, so that
what the block returned is dropped, and says nothing; AST of 2.6 asks a name that it never binds for
such a `return` (NameError), also where the block does not run. RMSNorm of DeepSeek-V2 in PaddleNLP
has one for another device. A name that is bound in the block and returned behind it avoids it; SOT
is right.
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


def tripled(x, twice=True):
    if twice:
        with paddle.amp.auto_cast(False):
            return x * 3
    return x * 0.5


def named(x, twice=True):
    y = x * 0.5
    if twice:
        with paddle.amp.auto_cast(False):
            y = x * 3
    return y


def value(function, full_graph):
    if full_graph is not None:
        function = paddle.jit.to_static(function, full_graph=full_graph)
    try:
        return f"{float(function(paddle.ones([1]))):.1f}"
    except Exception as error:
        return type(error).__name__


def values(full_graph):
    return " and ".join(value(function, full_graph) for function in (halved, tripled))


dynamic, ast, sot = (values(full_graph) for full_graph in (None, True, False))
other = value(named, True)
print(f"Paddle {paddle.__version__}: dynamic {dynamic}, AST {ast}, AST named {other}, SOT {sot}")
sys.exit(not dynamic == ast == sot)
