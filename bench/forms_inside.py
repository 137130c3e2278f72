"""What each mode makes of forms of Python, on one Paddle: run by `bench.forms` in its environment.

usage: python forms_inside.py FOLDER NAME...

FOLDER holds a module `NAME.py` with a layer `Net` for each. A line of JSON is printed for each
form: its name, and what AST and SOT make of it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
from importlib import import_module
from typing import Any

os.environ["MIN_GRAPH_SIZE"] = "0"

import numpy as np
import paddle

# Processor time of a form; by the clock so many times that.
LIMIT_S, WALL_FACTOR = 30, 10
_FULL_GRAPH = {"ast": True, "sot": False}


def trained(net: Any) -> list[Any]:
    """The output and the gradients of a step, None for one that is not there."""
    given = paddle.to_tensor([[1.0, 2.0, 3.0], [4.0, 5.0, -6.0]])
    for parameter in net.parameters():
        parameter.clear_gradient()
    made = net(given)
    # Each number of the output has a weight of its own.
    weights = paddle.arange(1, made.size + 1, dtype="float32").reshape(made.shape)
    (made * weights).sum().backward()
    return [made, *(parameter.grad for parameter in net.parameters())]


def same(wanted: list[Any], found: list[Any]) -> bool:
    """Whether two steps gave the same up to rounding."""
    return all(
        (one is None) == (other is None)
        and (one is None or (one.shape == other.shape and np.allclose(one, other, 1e-5, 1e-6)))
        for one, other in zip(wanted, found, strict=True)
    )


def told(make: Any, mode: str) -> str:
    """`ok`, `wrong` or `error`: what two steps of a mode give beside a dynamic one."""
    wanted = trained(make())
    try:
        net = paddle.jit.to_static(make(), full_graph=_FULL_GRAPH[mode])
        equal = all(same(wanted, trained(net)) for _ in range(2))
    except Exception:
        return "error"
    return "ok" if equal else "wrong"


def asked(name: str, mode: str) -> str:
    """The same from a process of its own, which may hang or crash."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        # By the clock a busy machine would make a form hang that does not.
        signal.setitimer(signal.ITIMER_PROF, LIMIT_S)
        signal.alarm(WALL_FACTOR * LIMIT_S)

        def make() -> Any:
            paddle.seed(3)
            return import_module(name).Net()

        os.write(write, told(make, mode).encode())
        os._exit(0)
    os.close(write)
    _, status = os.waitpid(child, 0)
    found = os.read(read, 100).decode()
    os.close(read)
    if found:
        return found
    return "hang" if os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM) else "crash"


def main() -> None:
    """Print a line for each form."""
    folder, *names = sys.argv[1:]
    sys.path.insert(0, folder)
    for name in names:
        print(json.dumps([name, *(asked(name, mode) for mode in _FULL_GRAPH)]), flush=True)


if __name__ == "__main__":
    main()
