"""D-21: a mapping of tensors is updated with `.update`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.values import Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`d.update(tensors)` of a local mapping."""
    for call, base, _ in reached.methods("update"):
        held = [*call.args, *(keyword.value for keyword in call.keywords)]
        local = isinstance(base, ast.Name) and not reached.kind(base).has(Flag.LAYER)
        given = local and any(reached.kind(value).is_data for value in held)
        if given and not any(asks_mapping(reached, node) for node in reached.above(call)):
            yield call, "a mapping of tensors is updated"


def asks_mapping(reached: Reached, node: ast.AST) -> bool:
    """`if isinstance(x, dict)` on what may well be a tensor."""
    test = node.test if isinstance(node, ast.If) else None
    if isinstance(test, ast.BoolOp):
        test = test.values[0]
    return (
        isinstance(test, ast.Call)
        and isinstance(test.func, ast.Name)
        and test.func.id == "isinstance"
        and reached.kind(test.args[0]).has(Flag.TENSOR)
    )


HAZARD = Hazard(
    "D-21",
    "dict-update",
    verdicts("wrong ok eager eager"),
    "Assign the keys: d['k'] = v.",
    "逐个赋值：d['k'] = v。",
    find,
)
