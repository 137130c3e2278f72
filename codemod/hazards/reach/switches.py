"""Code behind an argument that is off by default: it runs only where a config turns it on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.code.module import dotted

if TYPE_CHECKING:
    from codemod.hazards.reach.reached import Reached

_OFF = (False, None)


def off_by_default(reached: Reached, node: ast.AST) -> tuple[str, ...]:
    """Names of the arguments that must be set for the node to run."""
    found: dict[str, None] = {}
    inner = node
    for outer in reached.above(node):
        if isinstance(outer, (ast.If, ast.IfExp)) and _in_body(outer, inner):
            for test in _all_of(outer.test):
                name = _argument(reached, test)
                if name is not None:
                    found[name] = None
        inner = outer
    return tuple(found)


def _in_body(outer: ast.If | ast.IfExp, inner: ast.AST) -> bool:
    return inner in outer.body if isinstance(outer, ast.If) else inner is outer.body


def _all_of(test: ast.expr) -> list[ast.expr]:
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        return test.values
    if isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.IsNot):
        return [test.left]
    return [test]


def _argument(reached: Reached, test: ast.expr) -> str | None:
    """The argument behind `self.flag` (or a parameter) when nothing sets it otherwise."""
    name = dotted(test)
    owner = reached.owner
    if name is None or owner is None or not name.startswith("self.") or name.count(".") != 1:
        return None
    bound = [
        (method, value)
        for method in reached.index.all_methods(owner)
        for value in reached.world.builder.bindings(method).get(name, ())
    ]
    if len(bound) != 1:
        return None
    method, value = bound[0]
    if isinstance(value, ast.Constant):
        return name[5:] if value.value in _OFF else None
    default = method.defaults.get(value.id) if isinstance(value, ast.Name) else None
    if isinstance(default, ast.Constant) and default.value in _OFF and isinstance(value, ast.Name):
        return value.id
    return None
