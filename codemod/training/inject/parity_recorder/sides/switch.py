"""Turning hooks off and on in a process, so that off is the kit's own code.

AST of Paddle 2.6 puts what it makes of a `forward` into each layer below the hooked one, and leaves
it there: with `enable_to_static(False)` alone, these layers would run the converted code.
"""

from __future__ import annotations

import inspect
from typing import Any, Iterable


class HookSwitch:
    """The hooks of one process; the forwards that conversion has replaced are kept meanwhile."""

    def __init__(self, paddle: Any) -> None:
        self._paddle = paddle
        self._converted: list[tuple[dict[str, Any], Any]] = []

    def to(self, static: bool, roots: Iterable[Any]) -> None:
        """Turn hooks on or off for these layers and all below them."""
        self._paddle.jit.enable_to_static(static)
        if static:
            self._put_back()
            return
        for root in roots:
            for layer in root.sublayers(include_self=True):
                self._take_out(layer)

    def _put_back(self) -> None:
        for own, converted in self._converted:
            own["forward"] = converted
        self._converted.clear()

    def _take_out(self, layer: Any) -> None:
        """Give a layer the forward that it had before it was converted."""
        own = vars(layer)
        converted = own.get("forward")
        original = getattr(layer, "_original_funcs", {}).get("forward")
        # A hooked layer's is a `StaticFunction`, which calls the original where hooks are off.
        if original is None or not inspect.ismethod(converted):
            return
        if converted.__func__ is original:
            return
        self._converted.append((own, converted))
        if vars(type(layer)).get("forward") is original:
            del own["forward"]
        else:
            own["forward"] = original.__get__(layer)
