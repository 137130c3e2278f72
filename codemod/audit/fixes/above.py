"""The statements above one, and what they bind to a name."""

from __future__ import annotations

import ast

from codemod.code.traversal import walk
from codemod.hazards.reach.reached import Reached


def above_in_block(outer: ast.AST, inner: ast.AST) -> list[ast.stmt]:
    """The statements above a statement in its block of `outer`, the nearest first."""
    for _, block in ast.iter_fields(outer):
        if isinstance(block, list) and inner in block:
            above = reversed(block[: block.index(inner)])
            return [one for one in above if isinstance(one, ast.stmt)]
    return []


def binds(target: ast.AST, name: str) -> bool:
    """Whether a target is the name, or a tuple of which it is a part."""
    parts = target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target]
    return any(isinstance(part, ast.Name) and part.id == name for part in parts)


def names(node: ast.AST, name: str) -> bool:
    """Whether the name stands anywhere in a node."""
    return any(isinstance(part, ast.Name) and part.id == name for part in walk(node))


def surely_binds(statement: ast.stmt, name: str) -> bool:
    """Whether a statement assigns to the name wherever it runs."""
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    return any(binds(target, name) for target in targets)


def last_assigned(reached: Reached, name: str, at: ast.stmt) -> ast.Assign | None:
    """The assignment whose value a name surely holds at a statement; None where it may be another.

    It stands above in the same block or in one around it, and no loop lies between.
    """
    inner: ast.AST = at
    for outer in reached.above(at):
        for above in above_in_block(outer, inner):
            if isinstance(above, ast.Assign) and surely_binds(above, name):
                alone = len(above.targets) == 1 and isinstance(above.targets[0], ast.Name)
                return above if alone else None
            if _may_bind(above, name):
                return None
        if not isinstance(outer, (ast.If, ast.With)):
            return None
        inner = outer
    return None


def _may_bind(statement: ast.stmt, name: str) -> bool:
    """Whether something in a statement binds or deletes the name."""
    return any(
        isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load)
        for node in walk(statement)
    )
