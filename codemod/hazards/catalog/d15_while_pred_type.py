"""D-15: a loop's condition is a Python value first and a tensor later."""

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
    """`while` on a name that is bound to both."""
    for node in reached.statements:
        if isinstance(node, ast.While):
            test = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
            kind = reached.kind(test)
            if isinstance(test, ast.Name) and kind.has(Flag.TENSOR) and kind.has(Flag.PYTHON):
                yield node, f"{test.id} is a Python value first and a tensor later"


HAZARD = Hazard(
    "D-15",
    "while-pred-type",
    verdicts("error error ok ok"),
    "Make the loop's condition a tensor before the loop.",
    "在循环之前就用张量作条件。",
    find,
)
