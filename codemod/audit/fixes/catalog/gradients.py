"""Where gradients stop."""

from __future__ import annotations

import ast

from codemod.audit.fixes.above import above_in_block, names
from codemod.audit.fixes.gradient_free import gradient_free, under_no_grad
from codemod.audit.fixes.remedy import meaning, mends, path_of
from codemod.base.reason import Reason, Refusal
from codemod.engine.rewrite.ops import Action, Replace
from codemod.hazards.reach.reached import Reached


@mends("D-69")
def detached_name(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`name.stop_gradient = True` becomes `name = name.detach()` where only the name holds it."""
    assert isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute)
    base = node.targets[0].value
    assert isinstance(base, ast.Name)
    if len(node.targets) > 1:
        return Refusal(Reason.of("audit.several-attributes"))
    above = above_in_block(reached.parents[node], node)
    made = next((one for one in above if names(one, base.id)), None)
    if not isinstance(made, ast.Assign) or not _is_new(reached, made):
        return Refusal(Reason.of("audit.held-elsewhere", name=base.id))
    if under_no_grad(reached, node) or gradient_free(reached, made.value, made):
        return Refusal(Reason.of("audit.no-gradient", name=base.id))
    path = path_of(reached, node)
    return (Replace(path, f"{base.id} = {base.id}.detach()"),) if path is not None else ()


def _is_new(reached: Reached, made: ast.Assign) -> bool:
    """Whether a statement binds one name to a tensor that nothing else can hold."""
    if len(made.targets) > 1 or not isinstance(made.targets[0], ast.Name):
        return False
    if isinstance(made.value, (ast.BinOp, ast.Compare)):
        return True
    called = made.value.func if isinstance(made.value, ast.Call) else None
    name = meaning(reached, called)
    return name.startswith("paddle.") and not name.endswith("_")
