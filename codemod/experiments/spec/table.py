"""A kit's own table of specs by config, which its hook looks the config up in: one row more."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider

from codemod.base.errors import UsageError
from codemod.experiments.spec.nodes import Node
from codemod.experiments.spec.render import wrapped
from codemod.experiments.spec.write import by_key, find, given_to, quote_of, top_level


@dataclass(frozen=True, slots=True)
class _Table:
    """The dictionary, and where its parts stand."""

    module: cst.Module
    node: cst.Dict
    places: Mapping[cst.CSTNode, CodeRange]
    name: str


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
    table = _table(code, given.value.value, line)
    rows = by_key(table.node) if table is not None else {}
    if table is None or not any(map(is_config, rows)):
        return None
    unit, mark = found.module.default_indent, quote_of(found.module)
    row = rows.get(key)
    if row is not None and table.module.code_for_node(row) != "None":
        return None
    text = wrapped(spec, found.name, mark, len(unit) + len(key) + 5, unit, unit)
    newline = table.module.default_newline
    lines = table.module.code.splitlines(keepends=True)
    if row is not None:
        place = table.places[row]
        old = lines[place.start.line - 1]
        new = old[: place.start.column] + text.replace("\n", newline) + old[place.end.column :]
        lines[place.start.line - 1] = new
    else:
        _append(lines, table, f"{unit}{mark}{key}{mark}: {text},\n".replace("\n", newline))
    if found.needs_import:
        raise UsageError(f"The table {table.name} stands in a file that does not import Paddle.")
    return "".join(lines).encode(table.module.encoding)


def _append(lines: list[str], table: _Table, row: str) -> None:
    """Put a row before the closing brace; the last one gets its comma."""
    end = table.places[table.node].end
    last = table.node.elements[-1]
    if not isinstance(last.comma, cst.Comma):
        place = table.places[last.value].end
        old = lines[place.line - 1]
        lines[place.line - 1] = old[: place.column] + "," + old[place.column :]
    if lines[end.line - 1][: end.column - 1].strip():
        raise UsageError(f"The table {table.name} ends in the middle of line {end.line}.")
    lines.insert(end.line - 1, row)


def _table(code: bytes, local: str, line: int) -> _Table | None:
    """The top level's dictionary from which the function around `line` takes `local`."""
    wrapper = MetadataWrapper(cst.parse_module(code))
    places = wrapper.resolve(PositionProvider)
    name = ""
    for node in places:
        if isinstance(node, cst.Assign) and places[node].start.line <= line:
            target = node.targets[0].target
            if isinstance(target, cst.Name) and target.value == local:
                name = _looked_up(node.value) or name
    for part in top_level(wrapper.module):
        if not isinstance(part, (cst.Assign, cst.AnnAssign)):
            continue
        target = part.targets[0].target if isinstance(part, cst.Assign) else part.target
        named = isinstance(target, cst.Name) and target.value == name
        if named and isinstance(part.value, cst.Dict) and part.value.elements:
            return _Table(wrapper.module, part.value, places, name)
    return None


def _looked_up(value: cst.BaseExpression) -> str:
    """`TABLE` in `TABLE.get(...)` and `TABLE[...]`."""
    if isinstance(value, cst.Call) and isinstance(value.func, cst.Attribute):
        owner, is_get = value.func.value, value.func.attr.value == "get"
        return owner.value if is_get and isinstance(owner, cst.Name) else ""
    if isinstance(value, cst.Subscript) and isinstance(value.value, cst.Name):
        return value.value.value
    return ""
