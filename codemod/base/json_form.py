"""Frozen dataclasses as the schema of a JSON file: what a field's type says is what is read.

A field is written under its own name, or under the name in its metadata (`key`). JSON has no
infinity and no NaN, so they are written as the texts "inf", "-inf" and "nan".
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import MISSING, fields, is_dataclass
from enum import Enum
from functools import cache, partial
from types import UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from codemod.base.reason import Reason

T = TypeVar("T")
_Reader = Callable[[Any, str], Any]
_WORDS = {str: "a text", bool: "true or false", int: "a whole number", float: "a number"}
IF_THERE = {"if_there": True}
"""The metadata of a field that is written only where it says something: it came later."""
_NOT_FINITE = ("inf", "-inf", "nan")


class FormError(ValueError):
    """A value that does not fit; the message is one phrase that names the key."""


def key_of(field: Any) -> str:
    """The name under which a dataclass field is written."""
    return str(field.metadata.get("key", field.name))


def to_json(record: Any) -> dict[str, Any]:
    """The fields of a dataclass instance as values that `json` can write."""
    return {
        key_of(field): plain(value)
        for field in fields(record)
        if (value := getattr(record, field.name)) or "if_there" not in field.metadata
    }


def named(record: Any, *names: str) -> dict[str, Any]:
    """These attributes of a record as values that `json` can write."""
    return {name: plain(getattr(record, name)) for name in names}


def plain(value: Any) -> Any:
    """A value as `json` can write it."""
    if isinstance(value, Reason):
        return value.to_json()
    if is_dataclass(value) and not isinstance(value, type):
        return to_json(value)
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return value


def from_json(kind: type[T], value: Any, where: str = "") -> T:
    """A record from a JSON object. Keys that it does not know are left out.

    `where` is the dotted path of the object, for messages.

    Raises:
        FormError: a key is missing, or its value is of another type.
    """
    if not isinstance(value, dict):
        raise FormError(f"`{where or 'the file'}` is not an object")
    found: dict[str, Any] = {}
    for name, key, read, required in _schema(cast("Hashable", kind)):
        path = f"{where}.{key}" if where else key
        if key in value:
            found[name] = read(value[key], path)
        elif required:
            raise FormError(f"`{path}` is missing")
    return kind(**found)


@cache
def _schema(kind: Any) -> list[tuple[str, str, _Reader, bool]]:
    """Name, key, reader and whether it is required, of every field."""
    hints = get_type_hints(kind)
    return [
        (
            field.name,
            key_of(field),
            _reader(hints[field.name]),
            field.default is MISSING and field.default_factory is MISSING,
        )
        for field in fields(kind)
    ]


def _reader(hint: Any) -> _Reader:
    """What reads a value of a type: the type is taken apart once, not for each of a million."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return lambda value, where: value
    if origin in (Union, UnionType):
        (one,) = [_reader(part) for part in inner if part is not type(None)]
        return lambda value, where: None if value is None else one(value, where)
    if origin is tuple:
        return partial(_tuple, _reader(inner[0]), inner[0] is str)
    if origin is dict:
        return partial(_dict, _reader(inner[1]), inner[1] is str)
    if hint is Reason:
        return _reason
    if is_dataclass(hint):
        return partial(from_json, cast("type[Any]", hint))
    return partial(_member if issubclass(hint, Enum) else _scalar, hint)


def _tuple(read: _Reader, texts: bool, value: Any, where: str) -> tuple[Any, ...]:
    if not isinstance(value, list):
        raise FormError(f"`{where}` is not a list")
    if texts and all(type(item) is str for item in value):
        return tuple(value)
    return tuple(read(item, f"{where}[{n}]") for n, item in enumerate(value))


def _dict(read: _Reader, texts: bool, value: Any, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise FormError(f"`{where}` is not an object")
    if texts and all(type(item) is str for item in value.values()):
        return value
    return {key: read(item, f"{where}.{key}") for key, item in value.items()}


def _reason(value: Any, where: str) -> Reason:
    """A reason whose sentence the tables hold: one of another version has other codes or fields."""
    try:
        reason = Reason.from_json(value)
        reason.text()
    except (KeyError, TypeError, ValueError, AttributeError):
        raise FormError(f"`{where}` is no reason that this version knows") from None
    return reason


def _member(kind: type[Enum], value: Any, where: str) -> Enum:
    try:
        return kind(value)
    except ValueError:
        raise FormError(f"`{where}` is {value!r}, which is not a {kind.__name__}") from None


def _scalar(kind: type[Any], value: Any, where: str) -> Any:
    if kind is float:
        if value in _NOT_FINITE:
            return float(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return float(value)
    elif isinstance(value, kind) and (kind is bool or not isinstance(value, bool)):
        return value
    raise FormError(f"`{where}` is not {_WORDS[kind]}")
