"""SOT of 2.6 follows every execution path behind a graph break: two to the number of `if`s.

With thirty of them, on plain numbers, a function never reaches its first step. 3.x remembers where
it has been. A shorter function, or `full_graph=True`, is what helps.
"""

import os
import sys

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle


def five(x, flag=False):
    x.numpy()
    x = x + 1 if flag else x
    x = x + 2 if flag else x
    x = x + 3 if flag else x
    x = x + 4 if flag else x
    x = x + 5 if flag else x
    return x * 2


def ten(x, flag=False):
    x.numpy()
    x = x + 1 if flag else x
    x = x + 2 if flag else x
    x = x + 3 if flag else x
    x = x + 4 if flag else x
    x = x + 5 if flag else x
    x = x + 6 if flag else x
    x = x + 7 if flag else x
    x = x + 8 if flag else x
    x = x + 9 if flag else x
    x = x + 10 if flag else x
    return x * 2


def looks(function):
    """How often SOT begins to read a part of the function."""
    found = 0

    def count(frame, event, _):
        nonlocal found
        found += event == "call" and frame.f_code.co_name == "walk"

    static = paddle.jit.to_static(function, full_graph=False)
    sys.setprofile(count)
    static(paddle.ones([1]))
    sys.setprofile(None)
    return found


few, more = looks(five), looks(ten)
print(f"Paddle {paddle.__version__}: {few} looks behind a break with 5 branches, {more} with 10")
sys.exit(more > 8 * few)
