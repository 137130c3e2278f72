"""How a value gets from one function to another: by argument, by process, by return."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import islice

from codemod.code.kept import once_each
from codemod.code.lineage import above, named
from codemod.code.module import Module, Scope, dotted
from codemod.code.project import Caller, ClassInModule, Project
from codemod.code.sites import assigned
from codemod.code.traversal import parents

Parameter = tuple[Module, Scope, str]


def called_scopes(
    project: Project, module: Module, scope: Scope, func: ast.expr
) -> Iterator[tuple[Module, Scope]]:
    """The functions of the repository that a name means: a method of the class, a constructor.

    Both may be inherited, and `super().__init__` is what stands above.
    """
    name = dotted(func) or ""
    if scope.owner is not None and name.startswith("self."):
        yield from islice(named(project, ClassInModule(module, scope.owner), name[5:]), 1)
        return
    if scope.owner is not None and _of_super(func):
        over = above(project, ClassInModule(module, scope.owner), scope)
        yield from [over] if over and over[1].function == getattr(func, "attr", "") else ()
        return
    local = module.scope(f"{scope.name}.<locals>.{name}")
    if local is not None:
        yield module, local
        return
    if made := project.class_named(module, func):
        yield from islice(named(project, made, "__init__"), 1)
    elif found := project.function_named(module, func):
        yield found


def _of_super(func: ast.expr) -> bool:
    """Whether a call's function is `super().METHOD`."""
    of = func.value if isinstance(func, ast.Attribute) else None
    return isinstance(of, ast.Call) and dotted(of.func) == "super"


def parameters_of(
    project: Project, module: Module, scope: Scope, call: ast.Call, node: ast.AST
) -> Iterator[Parameter]:
    """The parameters that receive one argument of a call."""
    keyword = next((k.arg for k in call.keywords if k.value is node), None)
    for other, inner in called_scopes(project, module, scope, call.func):
        if keyword in inner.parameters:
            yield other, inner, keyword or ""
        elif node in call.args:
            for name in _received_as(inner, call.args.index(node)):
                yield other, inner, name


def _received_as(inner: Scope, index: int) -> Iterator[str]:
    """The names under which a function has the argument at an index, `*rest` taken apart."""
    places = inner.places
    if index < len(places):
        yield places[index]
        return
    spec = None if isinstance(inner.node, ast.Module) else inner.node.args.vararg
    rest, index = spec.arg if spec else None, index - len(places)
    for statement in inner.statements if rest else ():
        targets, value = assigned(statement.node)
        if isinstance(value, ast.Name) and value.id == rest and len(targets) > 1:
            yield from targets[index:][:1]
        elif isinstance(value, ast.Subscript) and dotted(value.value) == rest:
            yield from targets if getattr(value.slice, "value", None) == index else ()


def elements_of(
    project: Project, module: Module, scope: Scope, call: ast.Call
) -> Iterator[Parameter]:
    """The `**kwargs` that receives what a call spreads."""
    for other, inner in called_scopes(project, module, scope, call.func):
        if not isinstance(inner.node, ast.Module) and inner.node.args.kwarg:
            yield other, inner, inner.node.args.kwarg.arg


def run_with(
    project: Project, module: Module, scope: Scope, call: ast.Call, index: int
) -> Iterator[Parameter]:
    """`spawn(main, args=(options, ...))`: the parameter of `main` at that index of `args`."""
    given = (*call.args, *(k.value for k in call.keywords if k.arg != "args"))
    for value in given:
        if dotted(value):
            for other, inner in called_scopes(project, module, scope, value):
                for name in _received_as(inner, index):
                    yield other, inner, name


def started(module: Module, scope: Scope) -> Iterator[tuple[Caller, ast.Tuple | ast.List]]:
    """The calls of a file that start a function, with its arguments: `spawn(main, args=(...))`."""
    for other in module.scopes:
        for call in other.calls if other.mentions("args=", "args =") else ():
            listed = next((k.value for k in call.keywords if k.arg == "args"), None)
            given = (*call.args, *(k.value for k in call.keywords))
            named = any(dotted(value) == scope.function for value in given)
            if named and isinstance(listed, (ast.Tuple, ast.List)):
                yield Caller(module, other, call), listed


def declares_global(scope: Scope, name: str) -> bool:
    """Whether a function's assignments to a name are the module's."""
    return any(
        isinstance(statement.node, ast.Global) and name in statement.node.names
        for statement in scope.statements
    )


def returned_to(project: Project, module: Module, scope: Scope) -> dict[Caller, None]:
    """The calls that get what a function returns, in its own file first."""
    here = project.callers(module, scope)
    return dict.fromkeys((*here, *project.callers_elsewhere(module, scope)))


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


def binds(scope: Scope, name: str) -> bool:
    """Whether a scope assigns the name itself."""
    return scope.mentions(name) and any(
        name in assigned(statement.node)[0] for statement in scope.statements
    )


def unpacked(scope: Scope, call: ast.Call, index: int) -> Iterator[str]:
    """The name that gets one value of what a call returns."""
    for statement in scope.statements:
        targets, value = assigned(statement.node)
        if value is call and len(targets) > index:
            yield targets[index] if len(targets) > 1 else targets[0]
