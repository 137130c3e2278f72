"""What a layer is fed or gives: its parts, how each is reached, which pass through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def leaves(value: Any) -> list[Any]:
    """All parts of nested containers that are none themselves."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [leaf for item in value for leaf in leaves(item)]
    return [value]


def float_paths(paddle: Any, value: Any, path: str) -> list[str]:
    """Expressions for all tensors of floats within what `path` names."""
    if isinstance(value, dict):
        parts = [(f"{path}[{key!r}]", item) for key, item in value.items()]
    elif isinstance(value, (list, tuple)):
        parts = [(f"{path}[{number}]", item) for number, item in enumerate(value)]
    else:
        number = isinstance(value, paddle.Tensor) and "float" in str(value.dtype)
        return [path] if number else []
    return [found for part, item in parts for found in float_paths(paddle, item, part)]


class PassingNotes:
    """While the context lasts, `called(layer)` is told of each call of a layer as it begins.

    `passes(layer)` is told of those that gave back a tensor that they were fed, as it was, and that
    takes a gradient.
    """

    def __init__(
        self, paddle: Any, passes: Callable[[Any], None], called: Callable[[Any], None]
    ) -> None:
        self._paddle, self._passes, self._called = paddle, passes, called
        self._own = paddle.nn.Layer.__call__

    def __enter__(self) -> PassingNotes:
        own = self._own

        def noted(layer: Any, *inputs: Any, **options: Any) -> Any:
            self._called(layer)
            fed = {id(one): one.inplace_version for one in self._grown((inputs, options))}
            out = own(layer, *inputs, **options)
            # What an in-place function made of a tensor is another value.
            if any(fed.get(id(one)) == one.inplace_version for one in self._grown(out)):
                self._passes(layer)
            return out

        self._paddle.nn.Layer.__call__ = noted
        return self

    def __exit__(self, *_ended: object) -> None:
        self._paddle.nn.Layer.__call__ = self._own

    def _grown(self, value: Any) -> list[Any]:
        tensors = (one for one in leaves(value) if isinstance(one, self._paddle.Tensor))
        return [one for one in tensors if not one.stop_gradient]
