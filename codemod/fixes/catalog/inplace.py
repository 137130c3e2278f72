"""Values written in place, and detached values that an operation may overwrite."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.base.refusal import Refusal
from codemod.fixes.places import reread, source_of, statement_of
from codemod.fixes.remedy import mends
from codemod.hazards.detached import overwritten

if TYPE_CHECKING:
    from codemod.engine.ops import Action
    from codemod.hazards.reached import Reached

# Those that give a tensor another shape and leave its numbers alone: no other view sees a change.
_SHAPES = frozenset(("reshape_", "squeeze_", "unsqueeze_", "flatten_"))


@mends("D-77", "D-78", "D-79")
def clone_detached(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`x.detach()` under an operation becomes `x.clone().detach()`."""
    call = next(call for operation, call in overwritten(reached) if operation is node)
    assert isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
    return reread(reached, call, f"{source_of(reached, call.func.value)}.clone().detach()")


@mends("D-57")
def out_of_place(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`view.reshape_(shape)` becomes `view.reshape(shape)` where nobody else holds the view."""
    assert isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    name, base = node.func.attr, node.func.value
    if name not in _SHAPES:
        return Refusal(f"{name}() changes the numbers that the view shares with another tensor")
    if isinstance(base, ast.Name) and not _rebound(reached, node, base.id):
        return Refusal(f"{base.id} may be read again in the shape that {name}() gives it")
    if not isinstance(base, (ast.Name, ast.Call)):
        return Refusal(f"it is not seen who else holds what {name}() is called on")
    new = f"{source_of(reached, base)}.{name.removesuffix('_')}"
    return reread(reached, node.func, new)


def _rebound(reached: Reached, node: ast.Call, name: str) -> bool:
    """Whether the statement of a call binds the name that it is called on, and no other."""
    found = statement_of(reached, node)
    if found is None or not isinstance(found.node, ast.Assign):
        return False
    targets = found.node.targets
    return len(targets) == 1 and isinstance(targets[0], ast.Name) and targets[0].id == name
