"""The small changes of code: what each node of a syntax tree may become, with a word for it.

A comparison turned round, a condition dropped, a number one larger, a statement left out. Texts
with a space are left alone: they are for people.
"""

from __future__ import annotations

import ast
import copy
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPARED: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
TWINS = {"min": "max", "max": "min", "any": "all", "all": "any"}


def changes(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """What a node may become, each with a word for it."""
    match node:
        case ast.Compare():
            for place, op in enumerate(node.ops):
                for other in COMPARED[type(op)]:
                    twin = copy.copy(node)
                    twin.ops = [*node.ops[:place], other(), *node.ops[place + 1 :]]
                    yield f"{type(op).__name__} to {other.__name__}", twin
        case ast.BoolOp():
            other_way = ast.Or() if isinstance(node.op, ast.And) else ast.And()
            yield "and/or", ast.BoolOp(other_way, node.values)
            for value in node.values:
                rest = [one for one in node.values if one is not value]
                dropped = rest[0] if len(rest) == 1 else ast.BoolOp(node.op, rest)
                yield f"without `{ast.unparse(value)}`", dropped
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            yield "without its sign", node.operand
        case ast.BinOp() if type(node.op) in COMPUTED:
            yield "another operator", ast.BinOp(node.left, COMPUTED[type(node.op)](), node.right)
        case ast.Constant(value=bool(truth)):
            yield "the other truth", ast.Constant(not truth)
        case ast.Constant(value=int(number) | float(number)):
            yield "one more", ast.Constant(number + 1)
        case ast.Constant(value=str(text)) if " " not in text:
            yield "another text", ast.Constant(text + "XX")
        case ast.IfExp():
            yield "branches exchanged", ast.IfExp(node.test, node.orelse, node.body)
        case ast.comprehension():
            for test in node.ifs:
                twin_loop = copy.copy(node)
                twin_loop.ifs = [one for one in node.ifs if one is not test]
                yield f"without `if {ast.unparse(test)}`", twin_loop
        case ast.If() | ast.While() if isinstance(node.test, ast.Name | ast.Call | ast.Attribute):
            twin_branch = copy.copy(node)
            twin_branch.test = ast.UnaryOp(ast.Not(), node.test)
            yield "condition turned round", twin_branch
        case ast.Return() if node.value is not None and not _is_none(node.value):
            yield "returns None", ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.YieldFrom()) | ast.AugAssign() | ast.Raise():
            yield "left out", ast.Pass()
        case ast.Continue() | ast.Break():
            yield "left out", ast.Pass()
        case ast.Name(id=name, ctx=ast.Load()) if name in TWINS:
            yield f"{name} to {TWINS[name]}", ast.Name(TWINS[name], ast.Load())


def _is_none(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
