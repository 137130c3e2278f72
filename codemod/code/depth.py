"""How deep a syntax tree is: what recurses over one must come to its end."""

from __future__ import annotations

import ast


def deeper_than(levels: int, tree: ast.Module) -> bool:
    """Whether the tree has more than `levels` levels.

    An expression on one line with fewer characters than that cannot have: each level takes
    one. So nearly all of the tree is passed over.
    """
    level: list[ast.AST] = [tree]
    for _ in range(levels):
        below: list[ast.AST] = []
        for node in (one for one in level if one._fields):
            for value in vars(node).values():
                if type(value) is list:
                    below += [
                        one for one in value if isinstance(one, ast.AST) and not _short(one, levels)
                    ]
                elif isinstance(value, ast.AST) and not _short(value, levels):
                    below.append(value)
        if not below:
            return False
        level = below
    return True


def _short(node: ast.AST, levels: int) -> bool:
    return (
        isinstance(node, ast.expr)
        and node.lineno == node.end_lineno
        and (node.end_col_offset or 0) - node.col_offset < levels
    )
