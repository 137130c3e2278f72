"""D-62: the model returns a named tuple, a dataclass or a subclass of a mapping."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.code.module import dotted
from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.index import Class

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`return Output(...)` of a hooked layer, unless an argument chooses a plain tuple."""
    if not (reached.unit.is_net and reached.is_forward):
        return
    for node in reached.statements:
        call = node.value if isinstance(node, ast.Return) else None
        if isinstance(call, ast.Call) and "return_dict" not in reached.function.parameters:
            found = reached.index.resolve(reached.function.module, dotted(call.func) or "")
            if isinstance(found, Class) and is_container(reached, found):
                yield node, f"returns a {found.name}"


def is_container(reached: Reached, owner: Class) -> bool:
    """A named tuple, a dataclass, or a subclass of an ordered mapping."""
    marks = {ast.unparse(mark).split("(")[0] for mark in owner.node.decorator_list}
    bases = reached.index.foreign_bases(owner)
    return bool(marks & {"dataclass", "dataclasses.dataclass"}) or any(
        base.rpartition(".")[2] in ("NamedTuple", "OrderedDict") for base in bases
    )


HAZARD = Hazard(
    "D-62",
    "output-container",
    verdicts("error error error break"),
    "Return a tuple or a dict.",
    "返回 tuple 或 dict。",
    find,
)
