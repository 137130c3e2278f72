"""What a hooked layer returns."""

from __future__ import annotations

import ast

from codemod.audit.fixes.remedy import mends, path_of
from codemod.base.reason import Reason, Refusal
from codemod.code.module import dotted
from codemod.engine.rewrite.ops import Action, Insert
from codemod.hazards.derived import derived_outputs, made_by
from codemod.hazards.reach.reached import Reached


@mends("D-63")
def cloned_source(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """Of `z = f(y)`, the last operation, `return y, z` returns a clone of `y`."""
    sources, part = next((s, part) for at, s, part in derived_outputs(reached) if at is node)
    made = made_by(reached, part.id) if isinstance(part, ast.Name) else None
    path = path_of(reached, made) if made is not None else None
    if path is None:
        return Refusal(Reason.of("audit.not-own-statement", name=ast.unparse(part)))
    if made is not None and _is_layer_call(made.value):
        return Refusal(Reason.of("audit.layer-makes", name=ast.unparse(part)))
    if any(_bound_after(reached, source, made) for source in sources):
        return Refusal(Reason.of("audit.other-tensor"))
    code = "\n".join(f"{source} = {source}.clone()" for source in sources)
    return (Insert.beside(path, code, behind=True),)


def _is_layer_call(value: ast.expr) -> bool:
    """`self.name(...)`, also of a part of it."""
    name = dotted(value.func) if isinstance(value, ast.Call) else None
    return name is not None and name.startswith("self.")


def _bound_after(reached: Reached, name: str, made: ast.Assign | None) -> bool:
    assert made is not None
    return any(
        isinstance(node, ast.Name)
        and node.id == name
        and isinstance(node.ctx, ast.Store)
        and node.lineno > made.lineno
        for node in reached.nodes
    )
