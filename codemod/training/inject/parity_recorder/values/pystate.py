"""Python state that a frozen graph would stop updating: layers' plain attributes."""

from __future__ import annotations

from typing import Any

from .digests import digest
from .naming import caches
from .tensors import to_array

# Attributes of every layer that say nothing of the kit's own state.
_PADDLES_OWN = frozenset(["training", "_built", "_full_name", "_helper", "_name", "_dtype"])


def _plain(value: Any, depth: int = 0) -> str | None:
    """A short text for numbers, texts and short lists of them; None for everything else."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value)[:200]
    if isinstance(value, (list, tuple)) and depth < 2 and len(value) <= 16:
        items = [_plain(item, depth + 1) for item in value]
        return None if any(item is None for item in items) else repr(items)[:200]
    # Asked of the type, for a kit's mapping may raise KeyError for a name that it lacks.
    if hasattr(type(value), "_grad_ivar"):
        array = to_array(value)
        return "tensor:" + ("empty" if array is None else digest(array))
    if type(value).__module__.startswith("paddle.base.libpaddle.pir") or (
        type(value).__name__ == "Variable"
    ):
        return "static-variable"
    return None


def attributes(roots: list[tuple[str, Any]]) -> dict[str, str]:
    """All watched attributes of all layers, by path."""
    found: dict[str, str] = {}
    for root, layer in roots:
        for path, part in layer.named_sublayers(include_self=True):
            prefix = f"{root}.{path}." if path else f"{root}."
            # Paddle's own layers cache tensors; what a kit changes in them are numbers.
            own = type(part).__module__.startswith("paddle.")
            held = {name: part._buffers.get(name) for name in caches(part)}
            for name, value in [*part.__dict__.items(), *held.items()]:
                if name in _PADDLES_OWN:
                    continue
                text = _plain(value)
                if text is not None and not (own and "tensor:" in text):
                    found[prefix + name] = text
    return found


class PythonState:
    """Tells, at each look, which attributes have changed since the first look."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def changed(self, roots: list[tuple[str, Any]]) -> dict[str, str]:
        """Attributes that differ from the first look, with their present value."""
        now = attributes(roots)
        if not self._first:
            self._first = now
        return {key: text for key, text in now.items() if self._first.get(key) != text}
