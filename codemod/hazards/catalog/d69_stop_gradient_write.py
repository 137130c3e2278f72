"""D-69: `stop_gradient` is set on an intermediate tensor."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import assigned, bound_before

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`t.stop_gradient = True` of a local tensor."""
    for node, target in assigned(reached):
        stops = isinstance(target, ast.Attribute) and target.attr == "stop_gradient"
        local = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
        if (
            stops
            and local
            and ast.unparse(node.value) == "True"
            and computed(reached, node, target)
        ):
            yield node, f"{ast.unparse(target)} = True"


FRESH = frozenset(
    (
        "to_tensor",
        "zeros",
        "ones",
        "full",
        "arange",
        "zeros_like",
        "ones_like",
        "full_like",
        "tril",
        "triu",
    )
)


MOVED = frozenset(("transpose", "reshape", "cast", "astype", "unsqueeze", "squeeze"))


def computed(reached: Reached, node: ast.Assign, target: ast.expr) -> bool:
    """Whether the tensor came out of a computation: an input or a constant has no gradient."""
    name = target.value.id  # type: ignore[attr-defined]
    values = bound_before(reached, name, node)
    if not values:
        return False
    last = values[-1]
    made = last.func if isinstance(last, ast.Call) else None
    last_name = made.attr if isinstance(made, ast.Attribute) else ""
    if last_name in MOVED and isinstance(last, ast.Call):
        owner = made.value if isinstance(made, ast.Attribute) else None
        moved = (*last.args[:1], owner)
        inputs = reached.function.parameters
        return not any(isinstance(part, ast.Name) and part.id in inputs for part in moved)
    return last_name not in FRESH


HAZARD = Hazard(
    "D-69",
    "stop-gradient-write",
    verdicts("ok ok wrong ok"),
    "Use t.detach().",
    "改用 .detach()。",
    find,
)
