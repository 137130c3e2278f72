"""Time what makes a program: tracing and translating, and what its first run takes more than later.

Some of these functions run while SOT watches every Python frame; see `static.py`.
"""

from __future__ import annotations

import functools
import time
from typing import Any, Callable

# Of a program, or of the backward after some: its first run was timed, and its second one too.
_SETTLED = -1.0


class Compiling:
    """Adds to the counters `trace_s` and `first_run_s` of a step, both in seconds.

    Nested work counts once. A program that runs only once has no second run to compare with:
    its tracing alone is counted.
    """

    def __init__(self, counts: dict[str, float]) -> None:
        self._counts = counts
        self._tracing = [0]
        self._running = [0]
        self._firsts: dict[Any, float] = {}
        self._graphs: dict[int, Any] = {}
        self._since_backward: dict[int, None] = {}

    def tracing(self, original: Any) -> Callable[..., Any]:
        """`original`, which traces or translates, with its time counted."""
        counts, depth = self._counts, self._tracing

        def traced(*args: Any, **kwargs: Any) -> Any:
            if depth[0]:
                return original(*args, **kwargs)
            depth[0] = 1
            began = time.perf_counter()
            try:
                return original(*args, **kwargs)
            finally:
                depth[0] = 0
                counts["trace_s"] = counts.get("trace_s", 0.0) + time.perf_counter() - began

        return functools.wraps(original)(traced)

    def running(self, original: Any) -> Callable[..., Any]:
        """`original(graph, ...)`, which runs a program: its first run compiles it."""
        counts, depth, graphs, since = (
            self._counts,
            self._running,
            self._graphs,
            self._since_backward,
        )
        firsts = self._firsts

        def run(graph: Any, *args: Any, **kwargs: Any) -> Any:
            if depth[0]:
                return original(graph, *args, **kwargs)
            key = id(graph)
            # Kept alive, so that no other graph can take its identity.
            graphs[key] = graph
            since[key] = None
            depth[0] = 1
            traced = counts.get("trace_s", 0.0)
            began = time.perf_counter()
            try:
                return original(graph, *args, **kwargs)
            finally:
                depth[0] = 0
                took = time.perf_counter() - began - (counts.get("trace_s", 0.0) - traced)
                first = firsts.get(key)
                if first is None:
                    firsts[key] = took
                elif first != _SETTLED:
                    firsts[key] = _SETTLED
                    counts["first_run_s"] = counts.get("first_run_s", 0.0) + max(0.0, first - took)

        return functools.wraps(original)(run)

    def after_backward(self, took: float) -> None:
        """Note a backward of `took` seconds: the programs behind it are compiled at its first."""
        key = tuple(sorted(self._since_backward))
        self._since_backward.clear()
        if not key:
            return
        first = self._firsts.get(key)
        if first is None:
            self._firsts[key] = took
        elif first != _SETTLED:
            self._firsts[key] = _SETTLED
            more = max(0.0, first - took)
            self._counts["first_run_s"] = self._counts.get("first_run_s", 0.0) + more
