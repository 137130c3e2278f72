"""D-19: a list grows in a loop over a tensor's shape."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import appends_data
from codemod.hazards.values import Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`for i in range(x.shape[0])` with `.append`; wrong only where a spec has that dim None."""
    for loop in reached.statements:
        if not isinstance(loop, ast.For) or not over_shape(reached, loop.iter):
            continue
        calls = (node for node in ast.walk(loop) if isinstance(node, ast.Call))
        if any(appends_data(reached, call) for call in calls):
            yield loop, "a list grows over a shape: keep that dim fixed in a spec"


def over_shape(reached: Reached, value: ast.expr) -> bool:
    """`range(x.shape[0])`."""
    return (
        isinstance(value, ast.Call)
        and isinstance(value.func, ast.Name)
        and value.func.id == "range"
        and any(reached.kind(a).has(Flag.SHAPE) and reached.kind(a).is_python for a in value.args)
    )


HAZARD = Hazard(
    "D-19",
    "list-append-shape",
    verdicts("ok wrong ok ok"),
    "Keep that dimension fixed in the InputSpec, or compute on the whole batch.",
    "InputSpec 中固定该维，或改为整批计算。",
    find,
)
