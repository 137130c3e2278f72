"""What calls of Python, NumPy and Paddle return, as kinds of values."""

from __future__ import annotations

from codemod.base.files.data_folder import table_beside
from codemod.hazards.reach.values import (
    BATCH,
    HOLDER,
    LAYER,
    MARKS,
    NUMPY,
    PARAMETER,
    PYTHON,
    READ,
    SHAPE,
    TENSOR,
    UNKNOWN,
    Flag,
    ValueKind,
    join,
)

NAMES = {key: frozenset(names) for key, names in table_beside(__file__, "apis.yaml").items()}
"""Names of what Python and Paddle offer, by what it gives or does."""

_READS = {"numpy": ValueKind(Flag.NUMPY | Flag.READ), "item": READ, "tolist": READ}
ITEMS = ValueKind(Flag.HOLDER, (ValueKind(Flag.HOLDER, (PYTHON, BATCH)),))


def builtin(name: str, args: list[ValueKind]) -> ValueKind | None:
    """The result of a builtin function, None when it is none."""
    first = args[0] if args else UNKNOWN
    marks = first.flags & MARKS
    if name in NAMES["numbers"]:
        if name in ("abs", "round", "pow") and first.may_be_data:
            return TENSOR
        return READ if first.is_data else ValueKind(Flag.PYTHON | marks)
    if name in NAMES["plain"]:
        held = name in ("len", "range")
        mark = Flag.SHAPE if name == "len" and first.is_tensor else marks
        return ValueKind(Flag.PYTHON | (mark if held else Flag.NOTHING))
    if name in NAMES["containers"]:
        data = first.may_be_data
        return ValueKind(
            first.flags & ~Flag.TENSOR | (Flag.HOLDER if data else Flag.PYTHON), first.items
        )
    if name in ("max", "min", "sum"):
        whole = join([k.element if len(args) == 1 else k for k in args])
        return TENSOR if whole.may_be_data else ValueKind(whole.flags or Flag.PYTHON)
    if name == "enumerate":
        return ValueKind(
            first.flags | Flag.HOLDER, (ValueKind(Flag.HOLDER, (PYTHON, first.element)),)
        )
    if name == "zip":
        return ValueKind(Flag.HOLDER, (ValueKind(Flag.HOLDER, tuple(k.element for k in args)),))
    if name == "dict":
        return HOLDER if any(k.may_be_data for k in args) else PYTHON
    return None


def foreign(name: str, args: list[ValueKind]) -> ValueKind:
    """The result of a call into another package, by its canonical name."""
    head, _, last = name.rpartition(".")
    read = any(k.has(Flag.READ) or k.is_data for k in args)
    if name.startswith(("numpy.", "scipy.", "cv2.", "np.")):
        shape = any(k.has(Flag.SHAPE) for k in args)
        mark = Flag.READ if read else Flag.SHAPE if shape else Flag.NOTHING
        return ValueKind(Flag.NUMPY | mark)
    if name.startswith("math."):
        return ValueKind(Flag.PYTHON | (Flag.READ if read else Flag.NOTHING))
    if name.startswith("paddle."):
        kind = _paddle(head, last)
        indexed = last in NAMES["indexed"] and any(k.has(Flag.EFFECTIVE) for k in args)
        return ValueKind(kind.flags | Flag.EFFECTIVE) if indexed else kind
    if name.startswith(("copy.", "einops.")):
        return args[0] if args else UNKNOWN
    return guess(args)


def _paddle(head: str, last: str) -> ValueKind:
    if last in NAMES["effective"]:
        return ValueKind(Flag.TENSOR | Flag.EFFECTIVE)
    if last == "create_parameter":
        return PARAMETER
    if last in NAMES["paddle_plain"] or head.startswith(
        ("paddle.framework", "paddle.base", "paddle.device")
    ):
        return PYTHON
    if last in NAMES["lists"]:
        return HOLDER
    if last[:1].isupper() and last != "Tensor":
        return LAYER if head.startswith("paddle.nn") else UNKNOWN
    if last in ("recompute", "cond", "while_loop", "switch_case", "where", "max_pool2d"):
        return BATCH if last != "where" else TENSOR
    return TENSOR


def guess(args: list[ValueKind]) -> ValueKind:
    """What an unknown function gives back: tensors if it was handed some."""
    return BATCH if any(k.is_data for k in args) else UNKNOWN


def method(base: ValueKind, name: str, args: list[ValueKind]) -> ValueKind:
    """The result of a method of a value that is not a layer of the kit."""
    if name in _READS and (base.may_be_data or not base.flags):
        return _READS[name]
    if base.is_tensor or (base.is_data and name not in NAMES["holder_methods"]):
        if name in NAMES["method_plain"]:
            return PYTHON
        if name in NAMES["effective"] or (name in NAMES["same_rows"] and base.has(Flag.EFFECTIVE)):
            return ValueKind(Flag.TENSOR | Flag.EFFECTIVE)
        return HOLDER if name in NAMES["lists"] else TENSOR
    if base.may_be_data:
        return _held(base, name)
    if base.has(Flag.LAYER):
        return guess(args)
    if base.flags & (Flag.NUMPY | Flag.PYTHON):
        return ValueKind(base.flags & ~Flag.NONE)
    return guess(args)


def _held(base: ValueKind, name: str) -> ValueKind:
    if name in ("keys", "index"):
        return PYTHON
    if name == "items":
        return ITEMS
    if name in ("get", "pop"):
        return base.element
    return base if name in ("values", "copy") else UNKNOWN


def attribute(base: ValueKind, name: str) -> ValueKind:
    """The attribute of a value that is no `self`."""
    if base.is_data or (base.may_be_data and name in ("shape", "dtype")):
        if name in ("shape", "ndim", "size"):
            return ValueKind(SHAPE.flags | base.flags & Flag.EFFECTIVE)
        if name in NAMES["attribute_plain"]:
            return PYTHON
        return TENSOR if name in ("T", "grad", "real", "imag") else BATCH
    if name == "shape":
        return SHAPE
    if base.has(Flag.LAYER):
        return PARAMETER if name in ("weight", "bias") else UNKNOWN
    return NUMPY if base.has(Flag.NUMPY) else UNKNOWN
