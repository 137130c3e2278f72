"""How deep a syntax tree is: what recurses over one must come to its end."""

from __future__ import annotations

import ast

from codemod.code.traversal import next_level


def deeper_than(levels: int, tree: ast.Module) -> bool:
    """Whether the tree has more than `levels` levels, contexts (`Load`) left out.

    What stands on one line with fewer characters than that cannot have: each level takes one. So
    nearly all of the tree is passed over.
    """
    level: list[ast.AST] = [tree]
    for _ in range(levels):
        level = [node for node in next_level(level) if not _short(node, levels)]
        if not level:
            return False
    return True


def _short(node: ast.AST, levels: int) -> bool:
    # Decorators stand above the lines of what they decorate.
    return (
        isinstance(node, (ast.expr, ast.stmt))
        and node.lineno == node.end_lineno
        and (node.end_col_offset or 0) - node.col_offset < levels
        and not getattr(node, "decorator_list", None)
    )
