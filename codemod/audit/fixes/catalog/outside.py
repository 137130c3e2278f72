"""What comes from outside of the graph: random numbers, process groups."""

from __future__ import annotations

import ast

from codemod.audit.fixes.remedy import meaning, mends, path_of, reread, source_of
from codemod.base.reason import Reason, Refusal
from codemod.code.module import dotted
from codemod.code.traversal import walk
from codemod.engine.rewrite.ops import Action, Insert
from codemod.hazards.reach.reached import Reached


@mends("D-72")
def permuted_length(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """`paddle.randperm(paddle.shape(x)[0])` becomes `paddle.randperm(x.shape[0])`."""
    assert isinstance(node, ast.Call)
    length = node.args[0]
    shape = length.value if isinstance(length, ast.Subscript) else None
    if not isinstance(shape, ast.Call) or len(shape.args) != 1 or shape.keywords:
        return Refusal(Reason.of("audit.no-tensor-length"))
    if meaning(reached, shape.func) != "paddle.shape":
        return Refusal(Reason.of("audit.no-tensor-length"))
    assert isinstance(length, ast.Subscript)
    whole, axis = source_of(reached, shape.args[0]), source_of(reached, length.slice)
    return reread(reached, length, f"{whole}.shape[{axis}]")


@mends("D-80")
def asserted_group(reached: Reached, node: ast.AST) -> tuple[Action, ...] | Refusal:
    """Before the group is asked for in a `try`, it is asserted that there is one."""
    assert isinstance(node, ast.Call)
    path, asks = path_of(reached, node), node.func
    if path is None or not isinstance(asks, ast.Attribute):
        return Refusal(Reason.of("audit.asked-by-name"))
    around = next((one for one in reached.above(node) if isinstance(one, ast.Try)), None)
    if around is None or not any(node in walk(one) for one in around.body):
        return Refusal(Reason.of("audit.no-try"))
    caught = [dotted(one.type) if one.type else "Exception" for one in around.handlers]
    if not {"Exception", "BaseException"}.intersection(caught):
        return Refusal(Reason.of("audit.except-no-assertion"))
    has_group = f'assert hasattr({source_of(reached, asks.value)}.fleet, "_hcg")'
    return (Insert.beside(path, has_group),)
