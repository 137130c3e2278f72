"""The walks over a syntax tree, each several times faster than the one of `ast`.

A kit has millions of nodes, and every search visits them: so a walk reads the fields that can hold
what it looks for, and no others.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

BLOCKS = ("body", "orelse", "handlers", "finalbody", "cases")
# The fields in which a node holds statements, and those in which it can hold a call: asked of
# every node of a kit, so they are looked up by the node's class.
_WITHOUT_CALLS = frozenset({"ctx", "id", "attr", "arg", "name", "op", "ops", "names", "module"})
_NODES = tuple(cls for cls in vars(ast).values() if isinstance(cls, type))
BLOCKS_OF: dict[type, tuple[str, ...]] = {
    cls: tuple(name for name in BLOCKS if name in cls._fields)
    for cls in _NODES
    if issubclass(cls, (ast.stmt, ast.excepthandler, ast.match_case, ast.Module))
}
_HOLDERS_OF: dict[type, tuple[str, ...]] = {
    cls: tuple(name for name in cls._fields if name not in _WITHOUT_CALLS)
    for cls in _NODES
    if issubclass(cls, ast.AST) and cls is not ast.Constant
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


def own_calls(statement: ast.stmt) -> Iterator[ast.Call]:
    """The calls among a statement's own nodes, in their order.

    Most nodes are names, constants and contexts, which hold no call and are not visited.
    """
    stack: list[object] = [
        getattr(statement, name) for name in _HOLDERS_OF[type(statement)] if name not in BLOCKS
    ]
    while stack:
        node = stack.pop()
        if type(node) is list:
            stack.extend(node)
            continue
        if type(node) is ast.Call:
            yield node
        stack.extend(getattr(node, name) for name in _HOLDERS_OF.get(type(node), ()))


def own_nodes(statement: ast.stmt) -> Iterator[ast.AST]:
    """The expressions of a statement, without the statements of its blocks.

    Reads the nodes' dictionaries: `ast.iter_child_nodes` takes three times as long, and this
    is the innermost loop of every search.
    """
    stack: list[object] = [
        value
        for name, value in vars(statement).items()
        if name not in BLOCKS or isinstance(value, ast.AST)
    ]
    while stack:
        node = stack.pop()
        if type(node) is list:
            stack.extend(node)
        elif isinstance(node, ast.AST):
            yield node
            # What has no fields (`Load`, `Add`) is one object for all trees, and may hold marks of
            # another reader: pyflakes before 4.1 leaves there which node of which tree it stood in.
            if node._fields:
                stack.extend(vars(node).values())


def below(root: ast.AST) -> Iterator[ast.AST]:
    """A node and every node below it, in source order, but contexts: faster than `ast.walk`."""
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        for name in reversed(_CHILDREN_OF[type(node)]):
            value = getattr(node, name)
            if type(value) is list:
                stack.extend(child for child in reversed(value) if child is not None)
            elif value is not None:
                stack.append(value)


def walk(root: ast.AST) -> Iterator[ast.AST]:
    """The same nodes in the order of `ast.walk`: those of each level after those above them."""
    level = [root]
    while level:
        yield from level
        above, level = level, []
        for node in above:
            for name in _CHILDREN_OF[type(node)]:
                value = getattr(node, name)
                if type(value) is list:
                    level += [child for child in value if child is not None]
                elif value is not None:
                    level.append(value)


def parents(root: ast.AST) -> dict[ast.AST, ast.AST]:
    """The node above each node below `root`; three times as fast as by `ast.walk`."""
    found: dict[ast.AST, ast.AST] = {}
    stack = [root]
    while stack:
        node = stack.pop()
        for value in vars(node).values():
            for child in value if type(value) is list else (value,):
                if isinstance(child, ast.AST):
                    found[child] = node
                    if child._fields:  # as in `own_nodes`
                        stack.append(child)
    return found


def every_statement(owner: ast.AST) -> Iterator[ast.stmt]:
    """All statements below a node, those of nested functions and classes too."""
    for name in BLOCKS_OF.get(type(owner), ()):
        for node in getattr(owner, name):
            if isinstance(node, ast.stmt):
                yield node
            if BLOCKS_OF[type(node)]:
                yield from every_statement(node)
