"""The form of a value as JSON: what Paddle's cache of programs tells apart."""

from __future__ import annotations

import collections
from typing import Any

import numpy as np

_DEEPEST = 8
_LONGEST = 200


def _dtype(value: Any) -> str:
    return str(value.dtype).split(".")[-1]


def form(value: Any, depth: int = 0) -> dict[str, Any]:
    """`{"k": kind, ...}`, nested for lists and dicts; specs keep where they were written."""
    if isinstance(value, type):
        return {"k": "object", "cls": value.__name__}
    if type(value).__name__ == "InputSpec" and hasattr(value, "shape"):
        shape = [None if size in (None, -1) else int(size) for size in value.shape or ()]
        place = getattr(value, "_codemod_place", None)
        return {"k": "tensor", "shape": shape, "dtype": _dtype(value), "place": place}
    if hasattr(value, "_is_initialized"):
        return {
            "k": "tensor",
            "shape": [int(size) for size in value.shape],
            "dtype": _dtype(value),
            "stop_gradient": bool(value.stop_gradient),
        }
    if isinstance(value, np.ndarray):
        return {"k": "ndarray", "shape": list(value.shape), "dtype": str(value.dtype)}
    if value is None or isinstance(value, (bool, int, float, str)):
        plain = value[:_LONGEST] if isinstance(value, str) else value
        return {"k": "constant", "cls": type(value).__name__, "value": plain}
    if depth < _DEEPEST and isinstance(value, collections.abc.Mapping):
        items = {str(key): form(item, depth + 1) for key, item in value.items()}
        return {"k": "dict", "cls": type(value).__name__, "items": items}
    if depth < _DEEPEST and isinstance(value, (list, tuple)):
        items_of = [form(item, depth + 1) for item in value]
        return {"k": "sequence", "cls": type(value).__name__, "items": items_of}
    return {"k": "object", "cls": type(value).__name__}
