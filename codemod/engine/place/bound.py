"""Whether the name that a gate reads is still the config where the hook stands."""

from __future__ import annotations

import ast

from codemod.code.module import dotted
from codemod.code.sites import assigned
from codemod.code.traversal import walk
from codemod.engine.gate.gates import Gate
from codemod.engine.gate.kinds import Dataclass, Namespace, One, alternatives
from codemod.engine.gate.origin import trace
from codemod.engine.place.placement import Position
from codemod.engine.point import Point


def reads_config(at: Point, gate: Gate, position: Position) -> bool:
    """Whether nothing else goes by the gate's name at the position."""
    root = gate.root
    if not root.isidentifier():
        return True
    here = at.before(position.above(at.scope) + 1)
    before = [s.node for s in at.scope.statements if s.node.lineno < here.line]
    last = next((node for node in reversed(before) if _binds(node, root)), None)
    if last is not None and _is_something_else(last, root):
        return False
    found = alternatives(trace(here, root))
    if gate.test.startswith(f"{root}.get("):
        return not any(_has_options(origin) for origin in found)
    if gate.test != f"{root}.to_static":
        return True
    ends = {type(origin) for origin in alternatives(trace(at, root))}
    return not ends & {Namespace, Dataclass} or any(_has_options(origin) for origin in found)


def _has_options(origin: One | None) -> bool:
    """Whether options are read as its attributes, and not by `get`."""
    return isinstance(origin, Dataclass) or (isinstance(origin, Namespace) and not origin.mapping)


def _binds(node: ast.stmt, name: str) -> bool:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return node.name == name
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        return any((a.asname or a.name) == name for a in node.names)
    if isinstance(node, (ast.For, ast.AsyncFor)):
        return any(dotted(part) == name for part in walk(node.target))
    if isinstance(node, (ast.With, ast.AsyncWith)):
        return any(dotted(item.optional_vars) == name for item in node.items)
    if isinstance(node, ast.AugAssign):
        return dotted(node.target) == name
    if isinstance(node, ast.Delete):
        return any(dotted(target) == name for target in node.targets)
    return name in assigned(node)[0]


def _is_something_else(node: ast.stmt, name: str) -> bool:
    """Whether a statement puts what is no config under the name: a part of it, a constant."""
    value = assigned(node)[1]
    if value is None or isinstance(value, (ast.Constant, ast.BinOp, ast.JoinedStr)):
        return not isinstance(node, (ast.Import, ast.ImportFrom, ast.With, ast.AsyncWith))
    while isinstance(value, (ast.Attribute, ast.Subscript)):
        value = value.value
        if dotted(value) == name:
            return True
    return False
