"""How many operators the nets' forward runs dynamically, counted in one step by Paddle's tracer.

A program that holds few of them leaves a part of the model dynamic, whatever its losses say.
"""

from __future__ import annotations

from typing import Any, Iterator

# Of the first optimizer's steps, the one that is counted: the first one makes things once.
STEP = 1


class Operators:
    """Counts from the end of one update to the start of the next one; dynamic runs alone."""

    def __init__(self, paddle: Any) -> None:
        self._paddle = paddle
        self._profiler: Any = None

    def start(self) -> None:
        """Begin to trace; a build without the tracer is left alone."""
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

    def _mark(self, on: bool) -> None:
        # Layers record their calls only while this says that a profiler is used.
        self._paddle.profiler.utils._is_profiler_used = on

    def take(self, nets: frozenset[str]) -> int:
        """The operators within calls of these classes' forward; 0 where nothing was traced."""
        if self._profiler is None:
            return 0
        result = self._profiler.stop()
        self._mark(False)
        self._profiler = None
        return sum(_within(root, nets) for root in result.get_data().values())


def _within(event: Any, nets: frozenset[str]) -> int:
    """Operators below the outermost calls of the named layers."""
    if str(event.type).endswith("Forward") and event.name in nets:
        return sum(1 for one in _below(event) if one.name.endswith(" dygraph"))
    return sum(_within(child, nets) for child in event.children_node)


def _below(event: Any) -> Iterator[Any]:
    for child in event.children_node:
        yield child
        yield from _below(child)


def net_classes(roots: list[tuple[str, Any]]) -> frozenset[str]:
    """The class names of the layers that hold what is trained; losses have no weights."""
    return frozenset(
        type(layer).__name__
        for _, layer in roots
        if any(not parameter.stop_gradient for parameter in layer.parameters())
    )
