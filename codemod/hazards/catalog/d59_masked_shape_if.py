"""D-59: an `if` on the shape of a result whose rows depend on the data."""

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
    """`if nonzero(...).shape[0]`."""
    for node in reached.nodes:
        if isinstance(node, (ast.If, ast.IfExp)) and asks_rows(reached, node.test):
            yield node, f"if {ast.unparse(node.test)}"


def asks_rows(reached: Reached, test: ast.expr) -> bool:
    """Whether a condition reads a number of rows that the data decide."""
    return any(
        reached.kind(part).has(Flag.EFFECTIVE) and reached.kind(part).is_python
        for part in ast.walk(test)
        if isinstance(part, ast.expr)
    )


HAZARD = Hazard(
    "D-59",
    "masked-shape-if",
    verdicts("ok ok break eager"),
    "Multiply by a mask instead.",
    "改用掩码运算。",
    find,
)
