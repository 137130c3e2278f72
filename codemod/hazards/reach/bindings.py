"""What is assigned to each local name and attribute of a function, in any of its statements."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.code.kept import kept
from codemod.code.module import dotted
from codemod.code.traversal import below
from codemod.hazards.reach.index import AnyFunction

_ADDING = ("append", "extend", "insert", "add", "update")
_REGISTERING = ("add_sublayer", "add_module", "register_sublayer")
_HOLDING = ("register_buffer", "add_parameter")
# Looked at before anything else: most nodes are names and constants.
_BINDING = frozenset(
    {ast.Assign, ast.AnnAssign, ast.AugAssign, ast.For, ast.comprehension, ast.NamedExpr, ast.Call}
)
ANY = "self.*"
Bindings = dict[str, list[ast.expr]]


@kept(None)
def bindings(function: AnyFunction) -> Bindings:
    """The expressions bound to `name` and to `self.name`; `self.*` holds unnamed sub-layers."""
    found: Bindings = {}
    for node in below(function):
        if type(node) not in _BINDING:
            continue
        for name, value in _bound(node):
            found.setdefault(name, []).append(value)
    return found


def _bound(node: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(node, ast.Assign):
        for target in node.targets:
            yield from _to(target, node.value)
    elif isinstance(node, (ast.AnnAssign, ast.AugAssign)) and node.value is not None:
        yield from _to(node.target, node.value)
    elif isinstance(node, (ast.For, ast.comprehension)):
        yield from _to(node.target, node.iter)
    elif isinstance(node, ast.NamedExpr):
        yield from _to(node.target, node.value)
    elif isinstance(node, ast.Call):
        yield from _registered(node)


def _to(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(target, (ast.Tuple, ast.List)):
        pairs = isinstance(value, (ast.Tuple, ast.List)) and len(value.elts) == len(target.elts)
        for index, part in enumerate(target.elts):
            yield from _to(part, value.elts[index] if pairs else value)  # type: ignore[attr-defined]
    elif isinstance(target, (ast.Subscript, ast.Starred)):
        yield from _to(target.value, value)
    elif name := dotted(target):
        yield name, value


def _registered(call: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    func = call.func
    if isinstance(func, ast.Name) and func.id == "setattr" and len(call.args) == 3:
        yield _named(call.args[1]), call.args[2]
    if not isinstance(func, ast.Attribute):
        return
    if func.attr in _ADDING and call.args:
        name = dotted(func.value)
        if name:
            yield name, call.args[-1]
    if func.attr in _HOLDING and call.args:
        yield _named(call.args[0]), call
    if func.attr in _REGISTERING and len(call.args) == 2:
        yield _named(call.args[0]), call.args[1]
    if func.attr == "__init__":
        for value in call.args:
            yield ANY, value


def _named(name: ast.expr) -> str:
    if isinstance(name, ast.Constant) and isinstance(name.value, str):
        return f"self.{name.value}"
    return ANY
