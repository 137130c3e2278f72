"""The walks over a syntax tree, each several times faster than the one of `ast`.

A kit has millions of nodes, and every search visits them: so a walk reads the fields that can hold
what it looks for, and no others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any

BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
# The fields in which a node holds statements: asked of every node of a kit, so they are looked up
# by the node's class.
_NODES = tuple(cls for cls in vars(ast).values() if isinstance(cls, type))
BLOCKS_OF: dict[type, tuple[str, ...]] = {
    cls: tuple(name for name in BLOCKS if name in cls._fields)
    for cls in _NODES
    if issubclass(cls, (ast.stmt, ast.excepthandler, ast.match_case, ast.Module))
}
# The fields that hold nodes. A context (`Load`) is none that anybody looks for, and half of all.
_PLAIN = frozenset({"ctx", "id", "attr", "arg", "asname", "module", "level", "type_comment"})
_PLAIN_OF = {
    ast.Constant: {"value", "kind"},
    ast.FormattedValue: {"conversion"},
    ast.AnnAssign: {"simple"},
    ast.Global: {"names"},
    ast.Nonlocal: {"names"},
    ast.comprehension: {"is_async"},
    ast.MatchSingleton: {"value"},
    ast.MatchMapping: {"rest"},
    ast.MatchClass: {"kwd_attrs"},
}
_CHILDREN_OF: dict[type, tuple[str, ...]] = {
    cls: tuple(
        name
        for name in cls._fields
        if name not in _PLAIN | _PLAIN_OF.get(cls, set())
        # A statement of Python 3.12 has an expression there.
        and (name != "name" or cls.__name__ == "TypeAlias")
    )
    for cls in _NODES
    if issubclass(cls, ast.AST)
}
_BACKWARDS = {cls: names[::-1] for cls, names in _CHILDREN_OF.items()}
# The same without the blocks of statements.
_OWN_OF: dict[type, tuple[str, ...]] = {
    cls: tuple(name for name in names if name not in BLOCKS_OF.get(cls, ()))
    for cls, names in _CHILDREN_OF.items()
}


def own_calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls among a statement's own nodes, the last first."""
    return (node for node in own_nodes(statement) if type(node) is ast.Call)


def own_nodes(statement: ast.AST) -> Iterator[ast.AST]:
    """The expressions of a statement or handler but contexts, without its blocks' statements.

    The last comes first. This is the innermost loop of every search.
    """
    stack: list[Any] = [getattr(statement, name) for name in _OWN_OF[type(statement)]]
    while stack:
        node = stack.pop()
        if type(node) is list:
            stack.extend(node)
        elif node is not None:
            yield node
            # A generator or a list takes longer, for the few fields that a node has.
            for name in _CHILDREN_OF[type(node)]:
                stack.append(getattr(node, name))  # noqa: PERF401


def below(root: ast.AST) -> Iterator[ast.AST]:
    """A node and every node below it, in source order, but contexts: faster than `ast.walk`."""
    stack: list[Any] = [root]
    while stack:
        node = stack.pop()
        if type(node) is list:
            stack.extend(reversed(node))
        elif node is not None:
            yield node
            for name in _BACKWARDS[type(node)]:
                stack.append(getattr(node, name))  # noqa: PERF401


def walk(root: ast.AST) -> Iterator[ast.AST]:
    """The same nodes in the order of `ast.walk`: those of each level after those above them."""
    level = [root]
    while level:
        yield from level
        level = next_level(level)


def names_in(root: ast.AST) -> set[str]:
    """The names below a node, whether they are read or bound."""
    return {node.id for node in below(root) if isinstance(node, ast.Name)}


def next_level(nodes: list[ast.AST]) -> list[ast.AST]:
    """All nodes right below some, contexts left out."""
    found: list[ast.AST | None] = []
    for node in nodes:
        for name in _CHILDREN_OF[type(node)]:
            value = getattr(node, name)
            if type(value) is list:
                found += value
            else:
                found.append(value)
    return list(filter(None, found))


def parents(root: ast.AST) -> dict[ast.AST, ast.AST]:
    """The node above each node below `root` but contexts, each of which stands in many places."""
    found: dict[ast.AST, ast.AST] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        for name in _CHILDREN_OF[type(node)]:
            value = getattr(node, name)
            # Written out twice: a loop over a tuple of one takes twice as long.
            if type(value) is list:
                for child in value:
                    if child is not None:
                        found[child] = node
                        stack.append(child)
            elif value is not None:
                found[value] = node
                stack.append(value)
    return found


def blocks(statement: ast.AST) -> Iterator[list[ast.stmt]]:
    """The blocks of a compound statement, with those of its handlers and cases."""
    for name in BLOCKS_OF.get(type(statement), ()):
        block = getattr(statement, name)
        if name in ("handlers", "cases"):
            yield from (part.body for part in block)
        else:
            yield block


def every_statement(owner: ast.AST) -> Iterator[ast.stmt]:
    """All statements below a node, those of nested functions and classes too."""
    for name in BLOCKS_OF.get(type(owner), ()):
        for node in getattr(owner, name):
            if isinstance(node, ast.stmt):
                yield node
            if BLOCKS_OF[type(node)]:
                yield from every_statement(node)


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
    line = getattr(node, "lineno", None)
    return (
        line is not None
        and line == node.end_lineno  # type: ignore[attr-defined]
        and node.end_col_offset - node.col_offset < levels  # type: ignore[attr-defined]
        and not getattr(node, "decorator_list", None)
    )
