"""How a forward calls the class above its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.base.refusal import Refusal
from codemod.fixes.places import reread
from codemod.fixes.remedy import mends

if TYPE_CHECKING:
    import ast

    from codemod.engine.ops import Action
    from codemod.hazards.reached import Reached


@mends("D-50")
def named_super(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`super()` becomes `super(Class, self)`, which needs no class around the function."""
    owner, parameters = reached.function.owner, reached.function.parameters
    if owner is None or owner.node not in owner.module.tree.body:
        return Refusal("the class has no name that its module knows")
    if not parameters:
        return Refusal("the function has no parameter that holds the layer")
    return reread(reached, node, f"super({owner.name}, {parameters[0]})")
