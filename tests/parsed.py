"""The modules of the tool as laws over its code read them: each parsed and walked once a process."""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING

from bench import architecture

if TYPE_CHECKING:
    from pathlib import Path


@cache
def text(path: Path) -> str:
    """What stands in a file."""
    return path.read_text(encoding="utf-8")


def tree(path: Path) -> ast.Module:
    """A module's tree, which no test may change."""
    return architecture.tree(path)


@cache
def nodes(path: Path) -> tuple[ast.AST, ...]:
    """Every node of a module, as `ast.walk` gives them."""
    return tuple(ast.walk(tree(path)))


def dotted(node: ast.AST) -> str:
    """What `ast.unparse` makes of a name or of a name's attributes; "" of any other code."""
    if isinstance(node, ast.Attribute):
        before = dotted(node.value)
        return f"{before}.{node.attr}" if before else ""
    return node.id if isinstance(node, ast.Name) else ""
