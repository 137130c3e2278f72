"""D-60: the shape of what `paddle.unique` gives is read."""

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
    """`paddle.unique(...)` whose result's shape (or length) is read below."""
    for node in reached.statements:
        call = node.value if isinstance(node, ast.Assign) else None
        if not isinstance(call, ast.Call) or not is_unique(reached, call):
            continue
        names = {t.id for t in ast.walk(node) if isinstance(t, ast.Name) and is_store(t)}
        if any(reads_shape(part, names) for part in reached.nodes):
            yield node, "the shape of unique's result is read"


def is_unique(reached: Reached, call: ast.Call) -> bool:
    """`paddle.unique(x)` or `x.unique()`; NumPy's own breaks the graph before."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else ""
    numpy = reached.kind(call).has(Flag.NUMPY)
    return name in ("unique", "unique_consecutive") and not numpy


def is_store(node: ast.Name) -> bool:
    """Whether a name is assigned."""
    return isinstance(node.ctx, ast.Store)


def reads_shape(node: ast.AST, names: set[str]) -> bool:
    """`name.shape` or `len(name)`."""
    if isinstance(node, ast.Attribute) and node.attr == "shape":
        return isinstance(node.value, ast.Name) and node.value.id in names
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("len", "range")
        and any(isinstance(a, ast.Name) and a.id in names for a in node.args)
    )


HAZARD = Hazard(
    "D-60",
    "unique",
    verdicts("ok ok break error"),
    "Keep the module out with paddle.jit.ignore_module, or use AST.",
    "使用 paddle.jit.ignore_module，或用 AST 模式。",
    find,
)
