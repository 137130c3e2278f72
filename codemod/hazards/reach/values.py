"""What a value is for hazards: a tensor, a container, a Python number, an array.

A kind is a set of flags, joined over all ways that lead to a value. `TENSOR | HOLDER` is a
batch: a tensor, or a list or mapping of tensors.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from enum import IntFlag


class Flag(IntFlag):
    """What a value may be."""

    NOTHING = 0
    TENSOR = 1
    HOLDER = 2  # a container with tensors in it
    PYTHON = 4  # numbers, strings, shapes, and containers of them
    NUMPY = 8
    LAYER = 16
    NONE = 32
    SHAPE = 64  # a Python number that comes from a tensor's shape
    READ = 128  # a Python number or array read out of a tensor
    PARAMETER = 256  # a trainable parameter or buffer of a layer
    EFFECTIVE = 512  # a tensor whose number of rows depends on the data


_DATA = Flag.TENSOR | Flag.HOLDER
_OTHER = Flag.PYTHON | Flag.NUMPY | Flag.LAYER
MARKS = Flag.SHAPE | Flag.READ | Flag.EFFECTIVE


@dataclass(frozen=True, slots=True)
class ValueKind:
    """A value's flags, and for a tuple of known length those of its items."""

    flags: Flag = Flag.NOTHING
    items: tuple[ValueKind, ...] = ()

    def __or__(self, other: ValueKind) -> ValueKind:
        if self == other:
            return self
        if self.items and len(self.items) == len(other.items):
            items = tuple(a | b for a, b in zip(self.items, other.items, strict=True))
            return ValueKind(self.flags | other.flags, items)
        if not (self.flags & ~Flag.NONE) or not (other.flags & ~Flag.NONE):
            return ValueKind(self.flags | other.flags, self.items or other.items)
        return ValueKind(self.flags | other.flags)

    @property
    def is_data(self) -> bool:
        """Surely a tensor or a container with tensors."""
        return bool(self.flags & _DATA) and not self.flags & _OTHER

    @property
    def is_tensor(self) -> bool:
        """Surely a tensor (or None)."""
        return self.is_data and not self.flags & Flag.HOLDER

    @property
    def may_be_data(self) -> bool:
        """A tensor on one of the ways."""
        return bool(self.flags & _DATA)

    @property
    def is_python(self) -> bool:
        """Surely no tensor."""
        return bool(self.flags & Flag.PYTHON) and not self.flags & _DATA

    @property
    def carried(self) -> ValueKind:
        """The kind as another function sees it: that rows depend on the data is said locally."""
        items = tuple(item.carried for item in self.items)
        return ValueKind(self.flags & ~Flag.EFFECTIVE, items)

    def has(self, flag: Flag) -> bool:
        """Whether one of the flags is set."""
        return bool(self.flags & flag)

    @property
    def element(self) -> ValueKind:
        """What an index or a loop takes out of it."""
        if self.items:
            return join(self.items)
        flags = self.flags & ~(Flag.HOLDER | Flag.NONE | Flag.PARAMETER)
        if not flags & Flag.PYTHON:
            flags &= ~Flag.EFFECTIVE  # of a shape, the number stays; of a tensor, a row is a row
        if self.flags & Flag.HOLDER:
            flags |= _DATA
        return ValueKind(flags)


UNKNOWN = ValueKind()
TENSOR = ValueKind(Flag.TENSOR)
HOLDER = ValueKind(Flag.HOLDER)
BATCH = ValueKind(Flag.TENSOR | Flag.HOLDER)
PYTHON = ValueKind(Flag.PYTHON)
NUMPY = ValueKind(Flag.NUMPY)
NONE = ValueKind(Flag.NONE)
LAYER = ValueKind(Flag.LAYER)
SHAPE = ValueKind(Flag.PYTHON | Flag.SHAPE)
READ = ValueKind(Flag.PYTHON | Flag.READ)
PARAMETER = ValueKind(Flag.TENSOR | Flag.PARAMETER)

# Entries of a batch and parameters that hold no tensors, by the names that kits give them.
PLAIN_NAMES = re.compile(
    r"^(\w+_)?(epoch|step|iters?|iteration|mode|metas?|path|file|name|names|size|shape|shapes"
    r"|idx|index|num|level|stage|type|dtype|axis|dim|gpus|image_file|modality|cfg|config|training"
    r"|is_train|flag|scale_factor_value|prefix)(_id|_idx|_num|_no)?$"
)
_PLAIN_TYPES = frozenset(("int", "str", "bool", "float"))


def join(kinds: tuple[ValueKind, ...] | list[ValueKind]) -> ValueKind:
    """What may be any of the kinds."""
    found = UNKNOWN
    for kind in kinds:
        found = found | kind
    return found


def parameter_kind(node: ast.arg, default: ast.expr | None) -> ValueKind:
    """What a model is called with: tensors, unless the parameter says otherwise."""
    if node.annotation is not None and ast.unparse(node.annotation) in _PLAIN_TYPES:
        return PYTHON
    if isinstance(default, ast.Constant):
        if default.value is not None:
            return PYTHON
        return BATCH | NONE if not PLAIN_NAMES.match(node.arg) else PYTHON
    return PYTHON if PLAIN_NAMES.match(node.arg) else BATCH


def operated(parts: list[ValueKind], op: ast.operator | None = None) -> ValueKind:
    """The result of an arithmetic or a comparison."""
    flags = Flag.NOTHING
    for part in parts:
        flags |= part.flags
    marks = flags & MARKS
    if isinstance(op, (ast.Add, ast.Mult)) and parts[0].flags & ~MARKS == Flag.HOLDER:
        return HOLDER  # lists joined or repeated
    if flags & _DATA:
        sure = any(p.is_data for p in parts)
        return TENSOR if sure else ValueKind((flags & ~Flag.HOLDER) | Flag.TENSOR)
    if flags & Flag.NUMPY:
        return ValueKind(Flag.NUMPY | marks)
    return ValueKind(Flag.PYTHON | marks) if flags & Flag.PYTHON else UNKNOWN


def collected(parts: list[ValueKind], keep: bool) -> ValueKind:
    """A list or tuple of values; `keep`: its length is fixed, so the items are kept."""
    flags = Flag.NOTHING
    for part in parts:
        flags |= Flag.HOLDER if part.is_data else part.flags & ~Flag.NONE
        if part.may_be_data:
            flags |= Flag.HOLDER
    flags &= ~Flag.TENSOR
    return ValueKind(flags or Flag.PYTHON, tuple(parts) if keep else ())
