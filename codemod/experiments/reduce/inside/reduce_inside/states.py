"""What a layer is fed, and what it and the kit's objects below it hold, at one moment.

A call may change it: masks that a net makes in its first call and keeps are not there before it,
and a method in place gives a tensor another shape.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# A longer list or dictionary is data, not parts.
_MOST = 1000
# Where a layer of Paddle's keeps its parts; of a class of its own in some releases.
_PARTS = ("_parameters", "_sub_layers", "_buffers")


class Moment:
    """Attributes of objects that `has_parts`, and shapes of tensors, from some values on down."""

    def __init__(self, tensor: type, has_parts: Callable[[Any], bool], *values: Any) -> None:
        # By `id`: who has a moment has to keep what it was taken of.
        self._held: dict[int, dict[str, Any]] = {}
        self._shapes: dict[int, list[int]] = {}
        waiting, met = list(values), set()
        while waiting:
            value = waiting.pop()
            if id(value) in met:
                continue
            met.add(id(value))
            if isinstance(value, tensor):
                self._shapes[id(value)] = [int(n) for n in value.shape]  # type: ignore[attr-defined]
            elif isinstance(value, (dict, list, tuple, set)) and len(value) < _MOST:
                waiting += value.values() if isinstance(value, dict) else value
            if hasattr(value, "__dict__") and has_parts(value):
                self._held[id(value)] = _attributes(value)
                waiting += self._held[id(value)].values()

    def attributes(self, value: Any) -> dict[str, Any]:
        """What an object held then; what it holds now, if it was not there."""
        found = self._held.get(id(value))
        return dict(getattr(value, "__dict__", {})) if found is None else found

    def shape(self, value: Any) -> list[int]:
        """The shape that a tensor had then."""
        found = self._shapes.get(id(value))
        return [int(n) for n in value.shape] if found is None else found


def copied(value: Any) -> Any:
    """Containers as they are now; what they hold stays what it is."""
    if type(value) in (list, tuple):
        return type(value)(copied(item) for item in value)
    if isinstance(value, dict) and type(value).__name__ != "OrderedDict":
        try:
            return type(value)({key: copied(item) for key, item in value.items()})
        except Exception:
            return value
    return value


def _attributes(value: Any) -> dict[str, Any]:
    now = vars(value).items()
    return {key: dict(part) if key in _PARTS else copied(part) for key, part in now}
