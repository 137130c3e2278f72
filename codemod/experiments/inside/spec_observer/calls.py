"""Write every call of the watched layers: phase, arguments by the names of `forward`."""

from __future__ import annotations

import functools
import inspect
import weakref
from typing import Any

from .form import form

CALLS_KEPT = 400


class Calls:
    """Wraps `forward` of the classes whose instances are hooked.

    Without a hook the outermost layers that hold parameters are watched, for one of them is the
    model. Copies of a hooked layer are not watched: on Paddle 2.6 they are dynamic again.
    """

    def __init__(self, paddle: Any, writer: Any, loaders: Any) -> None:
        self._paddle = paddle
        self._writer = writer
        self._loaders = loaders
        self._hooks: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._keys: weakref.WeakKeyDictionary[Any, int] = weakref.WeakKeyDictionary()
        self._patched: set[type] = set()
        self._depth = 0
        self._written = 0

    def watch(self, layer: Any, hook: int) -> None:
        """Watch a layer that was hooked."""
        self._hooks[layer] = hook
        owner: Any = next((c for c in type(layer).__mro__ if "forward" in vars(c)), type(layer))
        if owner in self._patched:
            return
        self._patched.add(owner)
        original = owner.forward

        @functools.wraps(original)
        def forward(this: Any, *args: Any, **kwargs: Any) -> Any:
            outer = getattr(type(this), "forward", None) is not vars(owner)["forward"]
            if this not in self._hooks or outer:
                return original(this, *args, **kwargs)
            self._write(this, original, args, kwargs)
            return original(this, *args, **kwargs)

        # A metaclass may put a function of its own around it (paddlenlp's does).
        owner.forward = forward

    def patch(self) -> None:
        """Watch the outermost calls for as long as nothing is hooked."""
        layer = self._paddle.nn.Layer
        original = layer.__call__

        @functools.wraps(original)
        def call(this: Any, *args: Any, **kwargs: Any) -> Any:
            if self._hooks:
                return original(this, *args, **kwargs)
            own = not type(this).__module__.startswith("paddle.")
            if self._depth == 0 and own and this.parameters():
                self._write(this, type(this).forward, args, kwargs)
            self._depth += own
            try:
                return original(this, *args, **kwargs)
            finally:
                self._depth -= own

        layer.__call__ = call

    def _write(self, layer: Any, function: Any, args: Any, kwargs: Any) -> None:
        self._keys.setdefault(layer, len(self._keys))
        if self._written < CALLS_KEPT:
            self._written += 1
            named, rest = _bound(function, layer, args, kwargs)
            self._writer.write(
                t="call",
                layer=self._keys[layer],
                cls=type(layer).__name__,
                hook=self._hooks.get(layer),
                training=bool(layer.training),
                size=sum(int(p.size) for p in layer.parameters()),
                file=getattr(inspect.unwrap(function).__code__, "co_filename", ""),
                line=getattr(inspect.unwrap(function).__code__, "co_firstlineno", 0),
                args=[[name, form(value)] for name, value in named],
                rest=rest,
            )
        self._loaders.seen(self._keys[layer], bool(layer.training))


def _bound(function: Any, layer: Any, args: Any, kwargs: Any) -> tuple[Any, Any]:
    """The arguments in the signature's order, defaults filled in, and what no name takes.

    `to_static` puts them in this order too before it looks at a spec; it knows no `*args`, and
    refuses a spec where there are other keywords.
    """
    bound = inspect.signature(function).bind(layer, *args, **kwargs)
    bound.apply_defaults()
    named: list[Any] = []
    rest: list[str] = []
    for parameter in list(bound.signature.parameters.values())[1:]:
        value = bound.arguments[parameter.name]
        if parameter.kind is parameter.VAR_POSITIONAL:
            rest += [f"*{parameter.name}"] if value else []
        elif parameter.kind is parameter.VAR_KEYWORD:
            rest += sorted(str(key) for key in value)
        else:
            named.append((parameter.name, value))
    return named, rest
