"""The forms of what `--json` prints, from `forms.yaml`, as JSON Schema (2020-12)."""

from __future__ import annotations

from typing import Any

from codemod.base.files.data_folder import table_beside

_NULL = "|null"
_PLAIN = ("string", "integer", "number", "boolean", "object")


def _table() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = table_beside(__file__, "forms.yaml")
    return table


def forms() -> list[str]:
    """The commands that have a form, such as `rules test`; `error` is that of every fault."""
    return list(_table()["commands"])


def form(command: str) -> dict[str, Any]:
    """The JSON Schema of what a command prints with `--json`.

    Raises:
        KeyError: the command has none.
    """
    version = {"type": "integer", "description": "The version of the form: 1."}
    schema = _schema(_table()["commands"][command])
    used = _used(schema)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"codemod {command} --json" if command != "error" else "An error of codemod",
        "type": "object",
        "properties": {"version": version},
        "required": ["version"],
        **({"allOf": [schema]} if schema else {}),
        "$defs": {name: _schema(_table()["forms"][name]) for name in sorted(used)},
    }


def _schema(form: Any) -> dict[str, Any]:
    """One form of the file as a schema."""
    if isinstance(form, list):
        return {"type": "array", "items": _schema(form[0])}
    if isinstance(form, dict):
        return _object(form)
    if form == "figure":
        return {"anyOf": [{"type": ["number", "null"]}, {"enum": ["inf", "-inf", "nan"]}]}
    name = form.removesuffix(_NULL)
    if name == "any":
        return {}
    if name not in _PLAIN:
        ref = {"$ref": f"#/$defs/{name}"}
        return {"anyOf": [ref, {"type": "null"}]} if form.endswith(_NULL) else ref
    return {"type": [name, "null"] if form.endswith(_NULL) else name}


def _object(form: dict[str, Any]) -> dict[str, Any]:
    if "one_of" in form:
        return {"oneOf": [_schema(one) for one in form["one_of"]]}
    if "*" in form:
        return {"type": "object", "additionalProperties": _schema(form["*"])}
    return {
        "type": "object",
        "properties": {name.removesuffix("?"): _schema(one) for name, one in form.items()},
        "required": [name for name in form if not name.endswith("?")],
    }


def _used(schema: Any) -> set[str]:
    """The names that a schema refers to, and those that these refer to."""
    found: set[str] = set()
    left = [schema]
    while left:
        one = left.pop()
        if isinstance(one, list):
            left += one
        elif isinstance(one, dict):
            name = str(one.get("$ref", "")).rpartition("/")[2]
            if name and name not in found:
                found.add(name)
                left.append(_schema(_table()["forms"][name]))
            left += one.values()
    return found
