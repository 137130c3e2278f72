"""How many operators the nets' forward runs dynamically, counted in one step by Paddle's tracer.

A program that holds few of them leaves a part of the model dynamic, whatever its losses say.
"""

from __future__ import annotations

import functools
import inspect
from typing import Any, Iterator

# Of the first optimizer's steps, the one that is counted: the first one makes things once.
STEP = 1


class Operators:
    """Counts from the end of one update to the start of the next one; dynamic runs alone."""

    def __init__(self, paddle: Any) -> None:
        self._paddle = paddle
        self._profiler: Any = None
        self._forwards: list[tuple[Any, Any]] = []

    def start(self, nets: list[Any]) -> None:
        """Begin to trace the calls of these layers; a build without the tracer is left alone."""
        core = self._paddle.base.core
        try:
            options = core.ProfilerOptions()
            options.trace_switch = 1
            self._profiler = core._Profiler.create(options, [])
            self._profiler.prepare()
            self._mark(True)
            self._profiler.start()
        except (AttributeError, TypeError):
            self._profiler = None
            return
        for owner in {type(net) for net in nets}:
            self._tell_forward(owner)

    def _tell_forward(self, owner: Any) -> None:
        """Record the calls of a class's `forward` too: trainers call `net.forward(x)` as well."""
        original, record = owner.forward, self._paddle.profiler
        if not inspect.isfunction(original):
            return

        @functools.wraps(original)
        def forward(layer: Any, *args: Any, **kwargs: Any) -> Any:
            kind = record.TracerEventType.Forward
            with record.RecordEvent(type(layer).__name__, kind):
                return original(layer, *args, **kwargs)

        self._forwards.append((owner, vars(owner).get("forward")))
        owner.forward = forward

    def _mark(self, on: bool) -> None:
        # Layers record their calls only while this says that a profiler is used.
        self._paddle.profiler.utils._is_profiler_used = on

    def take(self, nets: list[Any]) -> int:
        """The operators within calls of these layers' classes; 0 where nothing was traced."""
        if self._profiler is None:
            return 0
        result = self._profiler.stop()
        self._mark(False)
        self._profiler = None
        while self._forwards:
            owner, own = self._forwards.pop()
            if own is None:
                del owner.forward
            else:
                owner.forward = own
        names = frozenset(type(net).__name__ for net in nets)
        return sum(_within(root, names) for root in result.get_data().values())


def _within(event: Any, nets: frozenset[str]) -> int:
    """Operators below the outermost calls of the named layers."""
    if str(event.type).endswith("Forward") and event.name in nets:
        return sum(1 for one in _below(event) if one.name.endswith(" dygraph"))
    return sum(_within(child, nets) for child in event.children_node)


def _below(event: Any) -> Iterator[Any]:
    for child in event.children_node:
        yield child
        yield from _below(child)


def trained_nets(roots: list[tuple[str, Any]]) -> list[Any]:
    """The layers that hold what is trained; losses have no weights."""
    return [
        layer
        for _, layer in roots
        if any(not parameter.stop_gradient for parameter in layer.parameters())
    ]
