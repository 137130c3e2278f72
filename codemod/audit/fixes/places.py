"""Where a node stands in its file, as the engine's operations name places."""

from __future__ import annotations

import ast

from codemod.code.module import Path, Statement
from codemod.code.traversal import own_nodes
from codemod.engine.rewrite.ops import Rename
from codemod.hazards.reach.reached import Reached


def statement_of(reached: Reached, node: ast.AST) -> Statement | None:
    """The innermost statement in whose own expressions a node of the function stands."""
    for scope in reached.function.module.scopes:
        for statement in scope.statements:
            found = node is statement.node or any(n is node for n in own_nodes(statement.node))
            if found and not isinstance(statement.node, (ast.FunctionDef, ast.ClassDef)):
                return statement
    return None


def path_of(reached: Reached, node: ast.AST) -> Path | None:
    """The path of that statement; None for a node that stands in no statement that runs."""
    found = statement_of(reached, node)
    return found.path if found else None


def source_of(reached: Reached, node: ast.AST) -> str:
    """The text of a node, as it stands in the file."""
    return reached.function.module.code(node) if isinstance(node, (ast.expr, ast.stmt)) else ""


def reread(reached: Reached, node: ast.AST, new: str) -> tuple[Rename, ...]:
    """The operation that writes an expression otherwise; none where it cannot be named."""
    path, old = path_of(reached, node), source_of(reached, node)
    return (Rename(path, old, new),) if path is not None and old else ()
