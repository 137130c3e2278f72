"""D-57: an in-place function acts on a view."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`view.add_(...)` where the name is a reshape, a transpose or a slice of another tensor."""
    for call, base, name in ((c, b, n) for c, b, n in reached.methods(*INPLACE)):
        if is_view(base) or (isinstance(base, ast.Name) and from_view(reached, base.id, call)):
            yield call, f"{name}() on a view"


INPLACE = tuple(
    f"{name}_"
    for name in (
        "add",
        "subtract",
        "multiply",
        "divide",
        "scale",
        "clip",
        "exp",
        "sqrt",
        "relu",
        "sigmoid",
        "tanh",
        "zero",
        "fill",
        "ceil",
        "floor",
        "abs",
        "masked_fill",
        "lerp",
        "remainder",
        "softmax",
    )
)
VIEWS = frozenset(("reshape", "transpose", "squeeze", "unsqueeze", "flatten", "slice", "view", "t"))


def is_view(node: ast.expr) -> bool:
    """Whether an expression makes a view."""
    if isinstance(node, ast.Subscript):
        return any(isinstance(part, ast.Slice) for part in ast.walk(node.slice))
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in VIEWS
    )


def from_view(reached: Reached, name: str, call: ast.Call) -> bool:
    """Whether the name's last value above the call is a view."""
    values = [
        (node.lineno, node.value)
        for node in reached.statements
        if isinstance(node, ast.Assign)
        and node.lineno < call.lineno
        and any(isinstance(t, ast.Name) and t.id == name for t in node.targets)
    ]
    return bool(values) and is_view(max(values, key=lambda pair: pair[0])[1])


HAZARD = Hazard(
    "D-57",
    "inplace-view",
    verdicts("error error error error"),
    "Use the function that is not in place.",
    "改用非原位版本。",
    find,
)
