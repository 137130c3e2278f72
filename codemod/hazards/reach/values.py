"""What a value is for hazards: a tensor, a container, a Python number, an array.

A kind is a set of flags, joined over all ways that lead to a value. `TENSOR | HOLDER` is a
batch: a tensor, or a list or mapping of tensors. Flags are plain bits: kinds are joined a million
times for a kit, and an `IntFlag` makes an object of each.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from functools import cache
from typing import Final


class Flag:
    """What a value may be, one bit each."""

    NOTHING: Final = 0
    TENSOR: Final = 1
    HOLDER: Final = 2  # a container with tensors in it
    PYTHON: Final = 4  # numbers, strings, shapes, and containers of them
    NUMPY: Final = 8
    LAYER: Final = 16
    NONE: Final = 32
    SHAPE: Final = 64  # a Python number that comes from a tensor's shape
    READ: Final = 128  # a Python number or array read out of a tensor
    PARAMETER: Final = 256  # a trainable parameter or buffer of a layer
    EFFECTIVE: Final = 512  # a tensor whose number of rows depends on the data


_DATA = Flag.TENSOR | Flag.HOLDER
_OTHER = Flag.PYTHON | Flag.NUMPY | Flag.LAYER
MARKS = Flag.SHAPE | Flag.READ | Flag.EFFECTIVE


@dataclass(frozen=True, slots=True)
class ValueKind:
    """A value's flags, and for a tuple of known length those of its items."""

    flags: int = Flag.NOTHING
    items: tuple[ValueKind, ...] = ()

    def __or__(self, other: ValueKind) -> ValueKind:
        if self is other or (self.flags == other.flags and self.items == other.items):
            return self
        if self.items and len(self.items) == len(other.items):
            items = tuple(a | b for a, b in zip(self.items, other.items, strict=True))
            return ValueKind(self.flags | other.flags, items)
        if not (self.flags & ~Flag.NONE) or not (other.flags & ~Flag.NONE):
            items = self.items or other.items
            flags = self.flags | other.flags
            return ValueKind(flags, items) if items else plain(flags)
        return plain(self.flags | other.flags)

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
        if not self.items and not self.flags & Flag.EFFECTIVE:
            return self
        flags = self.flags & ~Flag.EFFECTIVE
        items = tuple(item.carried for item in self.items)
        return ValueKind(flags, items) if items else plain(flags)

    def has(self, flag: int) -> bool:
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
        return plain(flags)


# The one kind with these flags and no items: most are, and making an object takes longest.
plain = cache(ValueKind)
UNKNOWN = plain(Flag.NOTHING)
TENSOR = plain(Flag.TENSOR)
HOLDER = plain(Flag.HOLDER)
BATCH = plain(Flag.TENSOR | Flag.HOLDER)
PYTHON = plain(Flag.PYTHON)
NUMPY = plain(Flag.NUMPY)
NONE = plain(Flag.NONE)
LAYER = plain(Flag.LAYER)
SHAPE = plain(Flag.PYTHON | Flag.SHAPE)
READ = plain(Flag.PYTHON | Flag.READ)
PARAMETER = plain(Flag.TENSOR | Flag.PARAMETER)

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
        return TENSOR if sure else plain((flags & ~Flag.HOLDER) | Flag.TENSOR)
    if flags & Flag.NUMPY:
        return plain(Flag.NUMPY | marks)
    return plain(Flag.PYTHON | marks) if flags & Flag.PYTHON else UNKNOWN


def collected(parts: list[ValueKind], keep: bool) -> ValueKind:
    """A list or tuple of values; `keep`: its length is fixed, so the items are kept."""
    flags = Flag.NOTHING
    for part in parts:
        flags |= Flag.HOLDER if part.is_data else part.flags & ~Flag.NONE
        if part.may_be_data:
            flags |= Flag.HOLDER
    flags &= ~Flag.TENSOR
    return ValueKind(flags or Flag.PYTHON, tuple(parts) if keep else ())
