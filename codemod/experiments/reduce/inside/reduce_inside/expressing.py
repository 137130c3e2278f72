"""Values as Python source: literals, tensors by their shape, objects by how they were made."""

from __future__ import annotations

import inspect
import math
from typing import Any

# Up to so many numbers a tensor is written out; more are drawn in its range.
_WRITTEN = 24


class NoSource(Exception):
    """A value that no source can be written for."""


class ValueSources:
    """Writes values; `named(definition)` gives the name of a class or function in the program."""

    def __init__(self, paddle: Any, made: dict[int, Any], named: Any) -> None:
        self._paddle, self._made, self._named = paddle, made, named
        self._open: list[int] = []

    def of(self, value: Any) -> str:
        """The source of a value. Raises NoSource."""
        if value is None or isinstance(value, (bool, int, str, bytes)):
            return repr(value)
        if isinstance(value, float):
            return repr(value) if math.isfinite(value) else f'float("{value}")'
        if isinstance(value, self._paddle.Tensor):
            return self.tensor(value)
        if isinstance(value, (list, tuple)) and type(value).__name__ in ("list", "tuple"):
            inner = ", ".join(self.of(item) for item in value)
            comma = "," if type(value) is tuple and len(value) == 1 else ""
            return f"[{inner}]" if type(value) is list else f"({inner}{comma})"
        if isinstance(value, dict):
            items = (f"{self.of(k)}: {self.of(v)}" for k, v in value.items())
            return "{" + ", ".join(items) + "}"
        if isinstance(value, type) or inspect.isfunction(value) or inspect.isbuiltin(value):
            return str(self._named(value))
        return self._object(value)

    def tensor(self, value: Any) -> str:
        """A tensor with the shape, the type and about the values of this one."""
        shape, dtype = [int(n) for n in value.shape], str(value.dtype).rpartition(".")[2]
        if "complex" in dtype or "float16" in dtype:
            raise NoSource(dtype)
        array = value.numpy()
        if array.size <= _WRITTEN:
            text = f"paddle.to_tensor({array.tolist()!r}, dtype={dtype!r})"
        elif "float" in dtype:
            text = f"paddle.rand({shape})"
            if float(array.min()) < 0:
                text = f"paddle.randn({shape})"
        elif dtype == "bool":
            text = f"paddle.randint(0, 2, {shape}).astype('bool')"
        else:
            low, high = int(array.min()), int(array.max()) + 1
            text = f"paddle.randint({low}, {high}, {shape}, dtype={dtype!r})"
        return text

    def _object(self, value: Any) -> str:
        known = self._made.get(id(value))
        if known is None or id(value) in self._open:
            raise NoSource(type(value).__name__)
        self._open.append(id(value))
        try:
            name = self._named(type(value))
            return "{}({})".format(name, ", ".join(self._arguments(known)))
        finally:
            self._open.pop()

    def _arguments(self, known: Any) -> list[str]:
        if known.more:
            return [self.of(item) for item in known.more]
        defaults = {
            name: parameter.default
            for name, parameter in inspect.signature(type(known.made).__init__).parameters.items()
        }
        found = []
        for name, value in known.named.items():
            plain = value is None or isinstance(value, (bool, int, float, str))
            if plain and name in defaults and defaults[name] == value:
                continue
            found.append(f"{name}={self.of(value)}")
        return found
