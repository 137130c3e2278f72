"""How a value gets from one function to another: by argument, by process, by return."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from codemod.code.kept import once_each
from codemod.code.lineage import above, methods_named
from codemod.code.module import Module, Scope, by_name, dotted, handed
from codemod.code.project import Caller
from codemod.code.traversal import parents
from codemod.engine.assignments import assignments
from codemod.engine.point import Point

Parameter = tuple[Point, str]


def called_scopes(at: Point, func: ast.expr) -> Iterator[Point]:
    """The functions of the repository that a name means: a method of the class, a constructor.

    Both may be inherited, and `super().__init__` is what stands above.
    """
    name = dotted(func) or ""
    local = at.module.scope(f"{at.scope.name}.<locals>.{name}")
    found: Iterator[tuple[Module, Scope]]
    if at.kin and name.startswith("self."):
        found = islice(methods_named(at.project, at.kin, name[5:]), 1)
    elif at.kin and _of_super(func):
        over = above(at.project, at.kin, at.scope)
        found = iter([over] if over and over[1].function == getattr(func, "attr", "") else ())
    elif local is not None:
        found = iter([(at.module, local)])
    elif made := at.project.class_named(at.module, func):
        found = islice(methods_named(at.project, made, "__init__"), 1)
    else:
        function = at.project.function_named(at.module, func)
        found = iter([function] if function else ())
    return (at.to(*one) for one in found)


def _of_super(func: ast.expr) -> bool:
    """Whether a call's function is `super().METHOD`."""
    of = func.value if isinstance(func, ast.Attribute) else None
    return isinstance(of, ast.Call) and dotted(of.func) == "super"


def parameters_of(at: Point, call: ast.Call, node: ast.AST) -> Iterator[Parameter]:
    """The parameters that receive one argument of a call."""
    keyword = next((k.arg for k in call.keywords if k.value is node), None)
    for inner in called_scopes(at, call.func):
        if keyword in inner.scope.parameters:
            yield inner, keyword or ""
        elif node in call.args:
            yield from _received_as(inner, call.args.index(node))


def _received_as(inner: Point, index: int) -> Iterator[Parameter]:
    """The names under which a function has the argument at an index, `*rest` taken apart."""
    places = inner.scope.places
    if index < len(places):
        yield inner, places[index]
        return
    spec = None if isinstance(inner.scope.node, ast.Module) else inner.scope.node.args.vararg
    rest, index = spec.arg if spec else None, index - len(places)
    for _, targets, value in assignments(inner.scope) if rest else ():
        if dotted(value) == rest and len(targets) > 1:
            yield from ((inner, name) for name in targets[index:][:1])
        elif isinstance(value, ast.Subscript) and dotted(value.value) == rest:
            one = getattr(value.slice, "value", None) == index
            yield from ((inner, name) for name in targets if one)


def elements_of(at: Point, call: ast.Call) -> Iterator[Parameter]:
    """The `**kwargs` that receives what a call spreads."""
    for inner in called_scopes(at, call.func):
        if not isinstance(inner.scope.node, ast.Module) and inner.scope.node.args.kwarg:
            yield inner, inner.scope.node.args.kwarg.arg


def run_with(at: Point, call: ast.Call, index: int) -> Iterator[Parameter]:
    """`spawn(main, args=(options, ...))`: the parameter of `main` at that index of `args`."""
    given = (*call.args, *(k.value for k in call.keywords if k.arg != "args"))
    for value in given:
        if dotted(value):
            for inner in called_scopes(at, value):
                yield from _received_as(inner, index)


def started(module: Module, scope: Scope) -> Iterator[tuple[Caller, ast.Tuple | ast.List]]:
    """The calls of a file that start a function, with its arguments: `spawn(main, args=(...))`."""
    for other in module.scopes:
        for call in other.calls if other.mentions("args=", "args =") else ():
            listed = by_name(call, "args")
            given = handed(call)
            named = any(dotted(value) == scope.function for value in given)
            if named and isinstance(listed, (ast.Tuple, ast.List)):
                yield Caller(module, other, call), listed


def declares_global(scope: Scope, name: str) -> bool:
    """Whether a function's assignments to a name are the module's."""
    return any(
        isinstance(statement.node, ast.Global) and name in statement.node.names
        for statement in scope.statements
    )


def returned_to(at: Point) -> dict[Caller, None]:
    """The calls that get what a function returns, in its own file first."""
    elsewhere = at.project.callers_elsewhere(at.module, at.scope)
    return dict.fromkeys((*at.callers, *elsewhere))


@once_each
def parents_of(scope: Scope) -> dict[ast.AST, ast.AST]:
    """The node above each node of a scope, nested functions included."""
    return parents(scope.node)


def loads(scope: Scope, name: str) -> Iterator[ast.expr]:
    """Where a scope reads a dotted name, nested functions included."""
    last = name.rpartition(".")[2]
    for node in scope.nodes if scope.mentions(last) else ():
        if not isinstance(node, (ast.Name, ast.Attribute)) or not isinstance(node.ctx, ast.Load):
            continue
        own = node.attr if isinstance(node, ast.Attribute) else node.id
        if own == last and dotted(node) == name:
            yield node


def unpacked(scope: Scope, call: ast.Call, index: int) -> Iterator[str]:
    """The name that gets one value of what a call returns."""
    for _, targets, value in assignments(scope):
        if value is call and len(targets) > index:
            yield targets[index] if len(targets) > 1 else targets[0]
