"""D-31: parameters of a teacher are updated in forward."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`.set_value` (or `.copy_`) of parameters met in a loop over them."""
    for call, base, _ in reached.methods("set_value", "copy_"):
        if isinstance(base, ast.Name) and any(over_parameters(n) for n in reached.above(call)):
            yield call, f"{base.id} is updated in forward"


def over_parameters(node: ast.AST) -> bool:
    """A loop over parameters."""
    return isinstance(node, ast.For) and any(
        isinstance(call, ast.Call)
        and isinstance(call.func, ast.Attribute)
        and call.func.attr in ("parameters", "named_parameters", "state_dict")
        for call in ast.walk(node.iter)
    )


HAZARD = Hazard(
    "D-31",
    "ema-in-forward",
    verdicts("error error eager eager"),
    "Update the averages in the training loop.",
    "移到训练循环中更新。",
    find,
)
