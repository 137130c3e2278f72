"""D-52: a forward hook keeps features in a container."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.code.module import dotted
from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import own_constructor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Hooks registered in the constructor that append or store what they see."""
    made = own_constructor(reached)
    owner = reached.function.owner
    for node in ast.walk(made) if made is not None and owner is not None else ():
        name = dotted(node.func) if isinstance(node, ast.Call) else None
        registers = name is not None and ".register_forward_" in name
        hooks = node.args[:1] if isinstance(node, ast.Call) and registers else []
        if any(keeps(body) for hook in hooks for body in hooked(reached, hook)):
            yield node, "the hook keeps what it sees"


def hooked(reached: Reached, hook: ast.expr) -> Iterator[ast.AST]:
    """The functions that a hook may be: a lambda, a method, a function in the file."""
    if isinstance(hook, ast.Lambda):
        yield hook
    wanted = (dotted(hook.func if isinstance(hook, ast.Call) else hook) or "").rpartition(".")[2]
    for node in ast.walk(reached.function.module.tree):
        if isinstance(node, ast.FunctionDef) and node.name == wanted:
            yield node


def keeps(body: ast.AST) -> bool:
    """Whether a function appends to something, or stores into an attribute or an entry."""
    return any(
        (isinstance(node, ast.Attribute) and node.attr == "append")
        or (isinstance(node, (ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store))
        for node in ast.walk(body)
    )


HAZARD = Hazard(
    "D-52",
    "hook-capture",
    verdicts("wrong wrong error error"),
    "Return the features.",
    "把特征作为返回值返回。",
    find,
)
