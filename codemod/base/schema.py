"""Frozen dataclasses as the schema of a YAML file: what a field's type says is what is read.

A field may be `str`, `bool`, `int`, a `Literal` of texts, a record, a tuple of any of these, or a
`dict[str, str]`. What `Annotated` puts beside such a type is called with the value and with its
place in the file, by whose `fault(...)` it refuses it. Whatever a person wrote otherwise is refused
with its file and line.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Hashable
from dataclasses import MISSING, fields, is_dataclass
from fnmatch import fnmatch
from functools import cache, lru_cache
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Literal,
    TypeVar,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

if TYPE_CHECKING:
    from codemod.base.files.yaml_file import YamlValue

T = TypeVar("T")
Check = dict[type[Any], "Callable[[Any, YamlValue], None]"]


def read_record(kind: type[T], value: YamlValue, checks: Check | None = None, **given: object) -> T:
    """One record from a YAML mapping; fields that are `given` are not read from the file.

    `checks` holds, by class, what is to be looked at once a record is made; a check raises
    `value.fault(...)`.

    Raises:
        UsageError: an unknown or missing key, or a value of another type, with its line.
    """
    made = kind(**given, **read_fields(kind, value, frozenset(), given, checks, partial=False))
    if checks and kind in checks:
        checks[kind](made, value)
    return made


def read_fields(
    kind: type[Any],
    value: YamlValue,
    aside: frozenset[str] = frozenset(),
    given: Container[str] = (),
    checks: Check | None = None,
    *,
    partial: bool = True,
) -> dict[str, Any]:
    """The fields of a record that a mapping states, as keyword arguments for `kind`.

    Keys of `aside` are allowed and left out, fields that are `given` are no keys. With `partial`
    none is required.

    Raises:
        UsageError: as `read_record`.
    """
    hints = _hints(cast("Hashable", kind))
    known = {f.name: f for f in fields(kind) if f.name not in given}
    required = frozenset() if partial else frozenset(n for n, f in known.items() if _required(f))
    found = value.fields(required, (frozenset(known) | aside) - required)
    return {
        name: _read(hints[name], part, checks) for name, part in found.items() if name not in aside
    }


def read_cases(
    kind: type[Any], value: YamlValue, name: str, adds: tuple[str, ...] = ()
) -> dict[str, Any] | None:
    """The fields that a mapping states for `name`, its matching `cases` laid over its own keys.

    A case holds `configs`, a list of globs, and any fields of `kind`; later cases win. Fields in
    `adds` grow by what a case states, all others are replaced. Every case is checked, also those
    that do not match. None where nothing is stated for `name`.

    Raises:
        UsageError: as `read_record`.
    """
    own, cases = _cases(cast("Hashable", kind), value)
    fields = dict(own)
    matched = bool(fields)
    for globs, stated in cases:
        if any(fnmatch(name, glob) for glob in globs):
            matched = True
            fields |= {
                key: _sum(fields.get(key), new) if key in adds else new
                for key, new in stated.items()
            }
    return fields if matched else None


@lru_cache(maxsize=64)
def _cases(
    kind: type[Any], value: YamlValue
) -> tuple[dict[str, Any], tuple[tuple[tuple[str, ...], dict[str, Any]], ...]]:
    """A mapping's own fields, and those of each case with its globs; nobody may change them."""
    fields = read_fields(kind, value, frozenset({"cases"}))
    listed = dict(value.items()).get("cases")
    cases = []
    for case in listed.entries() if listed else ():
        stated = read_fields(kind, case, frozenset({"configs"}))
        globs = case.fields(frozenset({"configs"}), frozenset(stated))["configs"].texts()
        cases.append((tuple(globs), stated))
    return fields, tuple(cases)


def _sum(old: Any, new: Any) -> Any:
    if old is None:
        return new
    return old | new if isinstance(new, dict) else (*old, *new)


@cache
def _hints(kind: Any) -> dict[str, Any]:
    return get_type_hints(kind, include_extras=True)


def _required(field: Any) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def _read(hint: Any, value: YamlValue, checks: Check | None) -> Any:
    if hint is str:
        return value.text()
    origin = get_origin(hint)
    if origin is Annotated:
        kind, *allows = get_args(hint)
        made = _read(kind, value, checks)
        for allow in allows:
            allow(made, value)
        return made
    if type(None) in get_args(hint):  # a field that may be left out
        return _read(get_args(hint)[0], value, checks)
    if is_dataclass(hint):
        return read_record(hint, value, checks)  # type: ignore[arg-type]
    if origin is tuple:
        return tuple(_read(get_args(hint)[0], one, checks) for one in value.entries())
    if origin is dict:
        return {name: part.text() for name, part in value.items()}
    if origin is Literal:
        return value.one_of(get_args(hint))
    return value.flag() if hint is bool else value.number()
