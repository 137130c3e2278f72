"""What a hooked layer returns."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.code.module import dotted
from codemod.hazards.finders import finds
from codemod.hazards.index import Class
from codemod.hazards.values import Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.finders import Match
    from codemod.hazards.reached import Reached


@finds("D-62")
def output_container(reached: Reached) -> Iterator[Match]:
    """The model returns a named tuple, a dataclass or a subclass of a mapping.

    `return Output(...)` of a hooked layer, unless an argument chooses a plain tuple.
    """
    if not (reached.unit.is_net and reached.is_forward):
        return
    for node in reached.statements:
        call = node.value if isinstance(node, ast.Return) else None
        if isinstance(call, ast.Call) and "return_dict" not in reached.function.parameters:
            found = reached.index.resolve(reached.function.module, dotted(call.func) or "")
            if isinstance(found, Class) and _is_container(reached, found):
                yield node, f"returns a {found.name}"


def _is_container(reached: Reached, owner: Class) -> bool:
    """A named tuple, a dataclass, or a subclass of an ordered mapping."""
    marks = {ast.unparse(mark).split("(")[0] for mark in owner.node.decorator_list}
    bases = reached.index.foreign_bases(owner)
    return bool(marks & {"dataclass", "dataclasses.dataclass"}) or any(
        base.rpartition(".")[2] in ("NamedTuple", "OrderedDict") for base in bases
    )


@finds("D-63")
def return_derived(reached: Reached) -> Iterator[Match]:
    """The model returns a tensor together with one computed from it last.

    `return y, f(y)` of a hooked layer, also by names and in a mapping.
    """
    if not (reached.unit.is_net and reached.is_forward):
        return
    for node in reached.statements:
        value = node.value if isinstance(node, ast.Return) else None
        parts = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", [])
        names = {part.id for part in parts if isinstance(part, ast.Name)}
        for part in parts:
            source = _derived(reached, part)
            if source & (names - {getattr(part, "id", None)}):
                yield node, f"returns {', '.join(sorted(source & names))} and {ast.unparse(part)}"
                break


def _derived(reached: Reached, part: ast.expr) -> set[str]:
    """The names that are direct operands of what makes a value."""
    value: ast.expr | None = part
    if isinstance(part, ast.Name):
        bound = [
            node.value
            for node in reached.statements
            if isinstance(node, ast.Assign)
            and any(isinstance(t, ast.Name) and t.id == part.id for t in node.targets)
        ]
        value = bound[-1] if len(bound) == 1 else None
    operands: list[ast.expr] = []
    if isinstance(value, ast.Call):
        operands = list(value.args)
        if isinstance(value.func, ast.Attribute):
            operands.append(value.func.value)
    elif isinstance(value, ast.BinOp):
        operands = [value.left, value.right]
    return {o.id for o in operands if isinstance(o, ast.Name) and reached.kind(o).is_data}


@finds("D-64")
def return_scalar(reached: Reached) -> Iterator[Match]:
    """The model returns a Python number that it computed.

    A number read or computed in forward among what a hooked layer returns.
    """
    if not (reached.unit.is_net and reached.is_forward):
        return
    for node in reached.statements:
        value = node.value if isinstance(node, ast.Return) else None
        parts = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", [])
        for part in parts:
            kind = reached.kind(part)
            if (
                kind.is_python
                and kind.has(Flag.READ)
                and any(reached.kind(other).is_data for other in parts)
            ):
                yield node, f"{ast.unparse(part)} is a number read out of a tensor"
