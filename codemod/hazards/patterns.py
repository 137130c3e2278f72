"""Shapes of code that more than one hazard looks for."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.engine.module import dotted

if TYPE_CHECKING:
    from codemod.hazards.reached import Reached

_DETACHING = ("detach", "cpu")
_LOGGERS = ("print", "info", "warning", "warn", "debug", "error", "format", "add_scalar")


def is_detached(base: ast.expr) -> bool:
    """Whether a chain of calls holds `.detach()` or `.cpu()`."""
    while isinstance(base, ast.Call) and isinstance(base.func, ast.Attribute):
        if base.func.attr in _DETACHING:
            return True
        base = base.func.value
    return False


def is_logged(reached: Reached, node: ast.AST) -> bool:
    """Whether a value is only printed or logged."""
    return any(
        isinstance(outer, ast.Call) and (dotted(outer.func) or "").rpartition(".")[2] in _LOGGERS
        for outer in reached.above(node)
    )


def is_self_attribute(node: ast.AST | None) -> bool:
    """`self.name`."""
    return (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == "self"
    )


def reads_itself(target: ast.expr, value: ast.expr) -> bool:
    """Whether the value of an assignment is computed from the target's old value."""
    name = dotted(target)
    return name is not None and any(dotted(node) == name for node in ast.walk(value))
