"""D-63: the model returns a tensor together with one computed from it last."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`return y, f(y)` of a hooked layer, also by names and in a mapping."""
    if not (reached.unit.is_net and reached.is_forward):
        return
    for node in reached.statements:
        value = node.value if isinstance(node, ast.Return) else None
        parts = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", [])
        names = {part.id for part in parts if isinstance(part, ast.Name)}
        for part in parts:
            source = derived(reached, part)
            if source & (names - {getattr(part, "id", None)}):
                yield node, f"returns {', '.join(sorted(source & names))} and {ast.unparse(part)}"
                break


def derived(reached: Reached, part: ast.expr) -> set[str]:
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


HAZARD = Hazard(
    "D-63",
    "return-derived",
    verdicts("wrong ok wrong ok"),
    "Use Paddle 3, or let another differentiable function be the last.",
    "使用 Paddle 3.x，或让其他可导算子位于最后。",
    find,
)
