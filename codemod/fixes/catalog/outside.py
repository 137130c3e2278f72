"""What comes from outside of the graph: random numbers."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.base.refusal import Refusal
from codemod.code.module import dotted
from codemod.fixes.places import reread, source_of
from codemod.fixes.remedy import mends

if TYPE_CHECKING:
    from codemod.engine.ops import Action
    from codemod.hazards.reached import Reached


@mends("D-72")
def permuted_length(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`paddle.randperm(paddle.shape(x)[0])` becomes `paddle.randperm(x.shape[0])`."""
    assert isinstance(node, ast.Call)
    length = node.args[0]
    shape = length.value if isinstance(length, ast.Subscript) else None
    if not isinstance(shape, ast.Call) or len(shape.args) != 1 or shape.keywords:
        return Refusal("it is not the length of a tensor")
    name = dotted(shape.func) or ""
    if reached.index.canonical(reached.function.module, name) != "paddle.shape":
        return Refusal("it is not the length of a tensor")
    assert isinstance(length, ast.Subscript)
    whole, axis = source_of(reached, shape.args[0]), source_of(reached, length.slice)
    return reread(reached, length, f"{whole}.shape[{axis}]")
