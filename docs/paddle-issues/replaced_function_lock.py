"""AST waits for ever for its own lock where a function of Paddle was replaced by one of yours.

To see whether `paddle.to_tensor(4).cast(...)` calls an API of Paddle, AST evaluates the source text
of `paddle.to_tensor(4).cast`, in which the inner call is rewritten already. If that function is not
Paddle's own, evaluating it starts to convert it, for which the lock is taken that the outer
conversion holds. PaddleNLP replaces `paddle.to_tensor`; its ProphetNet meets this. A name for the
inner call's result avoids it, and so does SOT.
"""

import os
import threading

os.environ.setdefault("MIN_GRAPH_SIZE", "0")

import paddle

own = paddle.to_tensor


def to_tensor(value):
    return own(value)


def chained(x):
    return x + paddle.to_tensor(4).cast("float32")


def named(x):
    four = paddle.to_tensor(4)
    return x + four.cast("float32")


def ends(function, full_graph):
    """Whether a call comes back; a thread that waits for the lock never does."""
    static = paddle.jit.to_static(function, full_graph=full_graph)
    thread = threading.Thread(target=static, args=(paddle.ones([2]),), daemon=True)
    thread.start()
    thread.join(timeout=20)
    return "waits for ever" if thread.is_alive() else "ends"


paddle.to_tensor = to_tensor
sot, name, chain = ends(chained, False), ends(named, True), ends(chained, True)
print(f"Paddle {paddle.__version__}: AST {chain}, AST with a name {name}, SOT {sot}", flush=True)
os._exit(chain != "ends")
