"""What a model was fed, as the recorder wrote it, in one line."""

from __future__ import annotations

from typing import Any

from codemod.base.terminal.text import shortened
from codemod.judging.evidence.result import Result
from codemod.training.runner import STATIC_MODES

_LONGEST = 240


def fed(result: Result) -> str:
    """The first call of the hooked layer, such as `Tensor[4,3,64,64] float32`, or nothing.

    Static runs alone tell it: a dynamic run records the outermost layers, and a kit that calls
    `model.forward(...)` shows those inside.
    """
    static = [result.modes[mode] for mode in STATIC_MODES if mode in result.modes]
    forms = next((mode.inputs for mode in static if mode.inputs), None)
    if not forms:
        return ""
    first = forms[0]
    words = [_text(value) for value in first.get("args", ())]
    words += [f"{key}={_text(value)}" for key, value in (first.get("kwargs") or {}).items()]
    return shortened(", ".join(words), _LONGEST)


def _text(value: Any) -> str:
    """One argument of a call."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_text(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list) and value and isinstance(value[0], str):
        kind, *rest = value
        if kind == "tensor":
            return f"Tensor{_shape(rest[0])} {rest[1]}"
        if kind in ("list", "tuple") and rest and isinstance(rest[0], list):
            return f"{kind}[{', '.join(_text(item) for item in rest[0])}]"
        return str(kind)
    if isinstance(value, list):
        return f"[{', '.join(_text(item) for item in value)}]"
    return str(value)


def _shape(sizes: list[int]) -> str:
    return "[" + ",".join(str(size) for size in sizes) + "]"
