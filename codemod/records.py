"""Frozen dataclasses as the schema of a YAML file: what a field's type says is what is read."""

from __future__ import annotations

from dataclasses import MISSING, fields, is_dataclass
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.yamldoc import Entry

T = TypeVar("T")
Check = dict[type[Any], "Callable[[Any, Entry], None]"]


def read_record(kind: type[T], entry: Entry, checks: Check | None = None) -> T:
    """One record from a YAML mapping. Fields named `path` are never read from the file.

    `checks` holds, by class, what is to be looked at once a record is made; a check raises
    `entry.fault(...)`.

    Raises:
        UsageError: an unknown or missing key, or a value of another type, with its line.
    """
    hints = get_type_hints(kind)
    known = {f.name: f for f in fields(kind) if f.name != "path"}  # type: ignore[arg-type]
    required = frozenset(name for name, f in known.items() if f.default is MISSING)
    found = entry.fields(required, frozenset(known) - required)
    made = kind(**{name: _value(hints[name], value, checks) for name, value in found.items()})
    if checks and kind in checks:
        checks[kind](made, entry)
    return made


def _value(hint: Any, entry: Entry, checks: Check | None) -> Any:
    if get_origin(hint) is tuple:
        item = get_args(hint)[0]
        if is_dataclass(item):
            return tuple(read_record(item, one, checks) for one in entry.entries())  # type: ignore[arg-type]
        return entry.texts()
    return entry.flag() if hint is bool else entry.text()
