"""What a layer's `forward` is on each side: the kit's own on the dynamic one.

Static training leaves its marks on layers: the hook stands in place of `forward`, and the AST of
Paddle 2.6 gives every layer below it a converted `forward`, which is milliseconds slower. A dynamic
turn that ran these would make any hook look fast.
"""

from __future__ import annotations

from typing import Any

_ABSENT = object()


class Forwards:
    """Swaps the methods of layers between the two sides."""

    def __init__(self) -> None:
        self._own: dict[tuple[int, str], tuple[Any, Any]] = {}
        self._static: dict[tuple[int, str], Any] = {}

    def note(self, roots: list[tuple[str, Any]]) -> None:
        """Remember the methods of layers that no static turn has touched yet."""
        for _, root in roots:
            for layer in root.sublayers(include_self=True):
                for name in ("forward", *getattr(layer, "_original_funcs", ())):
                    self._own.setdefault((id(layer), name), (layer, _own(layer, name)))

    def turn(self, static: bool) -> None:
        """Give every layer the methods of a side; those of the other one are kept."""
        for key, (layer, own) in self._own.items():
            if static:
                _put(layer, key[1], self._static.pop(key, layer.__dict__.get(key[1], _ABSENT)))
            elif key not in self._static:
                self._static[key] = layer.__dict__.get(key[1], _ABSENT)
                _put(layer, key[1], own)


def _own(layer: Any, name: str) -> Any:
    held = layer.__dict__.get(name, _ABSENT)
    if not hasattr(held, "dygraph_function"):
        return held
    # Bound to the layer, as the hook found it.
    return held.dygraph_function


def _put(layer: Any, name: str, value: Any) -> None:
    if value is _ABSENT:
        layer.__dict__.pop(name, None)
    else:
        layer.__dict__[name] = value
