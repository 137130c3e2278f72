"""A kit's own table of specs by config, which its hook looks the config up in: one row more."""

from __future__ import annotations

from collections.abc import Callable

import libcst as cst

from codemod.base.errors import UsageError
from codemod.experiments.spec.nodes import Node
from codemod.experiments.spec.write import HookCall, by_key, find, given_to, top_level


def with_row(
    code: bytes, line: int, key: str, spec: tuple[Node, ...], is_config: Callable[[str], bool]
) -> bytes | None:
    """The file with a row for `key` in the table that the hook at `line` (1-based) reads.

    A table is a dictionary at the file's top level, from which the hook's function takes the spec
    by name, and of whose keys one at least names a config of the kit, as `is_config` says. None
    where there is no such table, or it has a row for the key. A row that says None is filled.

    Raises:
        UsageError: the table stands in a file that does not import Paddle.
    """
    found = find(code, line)
    given = given_to(found.call, "input_spec", 1)
    if given is None or not isinstance(given.value, cst.Name):
        return None
    name = _table_of(given.value.value, found, line)
    table = _dictionary(found.module, name)
    rows = by_key(table) if table is not None else {}
    if table is None or not any(map(is_config, rows)):
        return None
    row = rows.get(key)
    if row is not None and found.code(row) != "None":
        return None
    module, style = found.module, found.style
    text = style.wrapped(spec, len(style.unit) + len(key) + 5, style.unit)
    text = text.replace("\n", module.default_newline)
    lines = module.code.splitlines(keepends=True)
    if row is not None:
        place = found.places[row]
        old = lines[place.start.line - 1]
        lines[place.start.line - 1] = old[: place.start.column] + text + old[place.end.column :]
    else:
        more = f"{style.unit}{style.quoted(key)}: {text},{module.default_newline}"
        _append(lines, found, table, more, name)
    if found.needs_import:
        raise UsageError(f"The table {name} stands in a file that does not import Paddle.")
    return "".join(lines).encode(module.encoding)


def _append(lines: list[str], found: HookCall, table: cst.Dict, row: str, name: str) -> None:
    """Put a row before the closing brace; the last one gets its comma."""
    end, last = found.places[table].end, table.elements[-1]
    if not isinstance(last.comma, cst.Comma):
        place = found.places[last.value].end
        old = lines[place.line - 1]
        lines[place.line - 1] = old[: place.column] + "," + old[place.column :]
    if lines[end.line - 1][: end.column - 1].strip():
        raise UsageError(f"The table {name} ends in the middle of line {end.line}.")
    lines.insert(end.line - 1, row)


def _table_of(local: str, found: HookCall, line: int) -> str:
    """The name of what `local` is last looked up in up to `line`; "" where it is not."""
    name = ""
    for node, place in found.places.items():
        if isinstance(node, cst.Assign) and place.start.line <= line:
            target = node.targets[0].target
            if isinstance(target, cst.Name) and target.value == local:
                name = _looked_up(node.value) or name
    return name


def _dictionary(module: cst.Module, name: str) -> cst.Dict | None:
    """The dictionary with rows that the top level binds to a name."""
    for part in top_level(module):
        if not isinstance(part, (cst.Assign, cst.AnnAssign)):
            continue
        target = part.targets[0].target if isinstance(part, cst.Assign) else part.target
        named = isinstance(target, cst.Name) and target.value == name
        if named and isinstance(part.value, cst.Dict) and part.value.elements:
            return part.value
    return None


def _looked_up(value: cst.BaseExpression) -> str:
    """`TABLE` in `TABLE.get(...)` and `TABLE[...]`."""
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        owner, is_get = value.func.value, value.func.attr.value == "get"
        return owner.value if is_get and isinstance(owner, cst.Name) else ""
    if isinstance(value, cst.Subscript) and isinstance(value.value, cst.Name):
        return value.value.value
    return ""
