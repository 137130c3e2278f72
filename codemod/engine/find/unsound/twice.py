"""A graph that two backward passes go back through, which a whole-graph program cannot bear."""

from __future__ import annotations

import ast
from collections import defaultdict

from codemod.code.module import Module, Scope, Statement, callee, dotted
from codemod.code.sites import assigned
from codemod.code.traversal import walk

RETAINED = "retain_graph"
Lines = frozenset[int]


def gone_back_twice(module: Module, scope: Scope, names: frozenset[str]) -> tuple[int, int] | None:
    """The lines of two backward passes over what one call of the model made, or None.

    The first keeps the graph (`retain_graph=True`). Measured on Paddle 2.6.2 and 3.3.1: in AST
    the second raises, for the program's own tensors are gone; SOT does as dynamic training.
    """
    if not scope.mentions(RETAINED):
        return None
    made: dict[str, Lines] = defaultdict(frozenset)
    kept: list[tuple[Statement, int, Lines]] = []
    for statement in scope.statements:
        for call in statement.calls:
            if callee(call) != "backward" or not isinstance(call.func, ast.Attribute):
                continue
            own = _made_by(call.func.value, names, made)
            for first, line, calls in kept:
                if own & calls and not _exclusive(module, first, statement):
                    return line, call.lineno
            if _retains(call):
                kept.append((statement, call.lineno, own))
        _assign(statement.node, names, made)
    return None


def _exclusive(module: Module, one: Statement, other: Statement) -> bool:
    """Whether two statements stand in the two branches of one `if`."""
    pairs = enumerate(zip(one.path, other.path, strict=False))
    at = next((i for i, (first, second) in pairs if first != second), None)
    if at is None or one.path[at][0] == other.path[at][0]:
        return False
    return isinstance(module.at(one.path[:at]), ast.If)


def _assign(node: ast.stmt, names: frozenset[str], made: dict[str, Lines]) -> None:
    """Note which calls of the model the names of a statement come from."""
    if isinstance(node, (ast.For, ast.AsyncFor)):
        for part in walk(node.target):
            if isinstance(part, ast.Name):
                made[part.id] = _made_by(node.iter, names, made)
        return
    if isinstance(node, ast.AugAssign):
        made[dotted(node.target) or ""] |= _made_by(node.value, names, made)
        return
    targets, value = assigned(node)
    if value is not None:
        found = _made_by(value, names, made)
        made.update(dict.fromkeys(targets, found))
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        # `losses.append(loss)`: the list has what it is given.
        owner = dotted(getattr(node.value.func, "value", None))
        if owner:
            for argument in node.value.args:
                made[owner] |= _made_by(argument, names, made)


def _made_by(value: ast.expr, names: frozenset[str], made: dict[str, Lines]) -> Lines:
    """The lines of the model's calls whose graph a value has; what is detached has none."""
    found: set[int] = set()
    waiting: list[ast.AST] = [value]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Call):
            if callee(node) == "detach":
                continue
            if dotted(node.func) in names:
                found.add(node.lineno)
        name = dotted(node) if isinstance(node, (ast.Name, ast.Attribute)) else None
        if name and name in made:
            found |= made[name]
        waiting += ast.iter_child_nodes(node)
    return frozenset(found)


def _retains(call: ast.Call) -> bool:
    given = [k.value for k in call.keywords if k.arg == RETAINED] or call.args[1:2]
    return any(not (isinstance(value, ast.Constant) and not value.value) for value in given)
