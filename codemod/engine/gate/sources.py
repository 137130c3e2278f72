"""Under which names a config went before it came to a scope."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.code.module import dotted
from codemod.code.sites import assigned
from codemod.engine.gate.handing import binds
from codemod.engine.gate.kinds import Mapping
from codemod.engine.gate.origin import enclosing, givens, trace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.code.module import Module, Scope
    from codemod.code.project import Project

Source = tuple["Module", "Scope", str]
_LEVELS = 6


def home(module: Module, scope: Scope, name: str) -> Scope:
    """The function that binds a name which a nested one reads."""
    while not binds(scope, name) and name not in scope.parameters and "<locals>" in scope.name:
        scope = enclosing(module, scope)
    return scope


def sources(
    project: Project, module: Module, scope: Scope, name: str, level: int = 0
) -> Iterator[Source]:
    """The configs that one was made of or given as: `checked(dict(CONFIG))`, `Trainer(config)`."""
    if level > _LEVELS:
        return
    for source in (*_made_of(project, module, scope, name), *_given(project, module, scope, name)):
        yield source
        yield from sources(project, *source, level + 1)


def _made_of(project: Project, module: Module, scope: Scope, name: str) -> Iterator[Source]:
    methods = name.startswith("self.") and scope.owner is not None
    places = module.methods(scope.owner) if methods and scope.owner else ()
    for place in places or (home(module, scope, name),):
        for statement in place.statements:
            targets, value = assigned(statement.node)
            for given in _parts(project, module, place, value) if name in targets else ():
                own = "." in given or given in place.parameters or binds(place, given)
                if given != name:
                    yield module, place if own else module.scopes[0], given


def _parts(project: Project, module: Module, place: Scope, value: ast.expr | None) -> Iterator[str]:
    """The value where it is a name, and the mappings that a call is given."""
    if whole := dotted(value):
        yield whole
    elif isinstance(value, ast.Call):
        for part in ast.walk(value):
            if isinstance(part, ast.Name) and trace(project, module, place, part.id) == Mapping():
                yield part.id


def _given(project: Project, module: Module, scope: Scope, name: str) -> Iterator[Source]:
    """What the calls of the function give its parameter, or its `*rest` that is taken apart."""
    index = _index(scope, name)
    for caller, value in givens(project, module, scope, name, index) if index is not None else ():
        if given := dotted(value):
            yield caller.module, caller.scope, given


def _index(scope: Scope, name: str) -> int | None:
    """The place among a call's arguments that comes to a name of the function."""
    if isinstance(scope.node, ast.Module):
        return None
    own = 1 if scope.owner else 0
    if name in scope.parameters:
        return scope.parameters.index(name) - own
    rest, places = scope.node.args.vararg, len(scope.node.args.args) - own
    for statement in scope.statements if rest else ():
        targets, value = assigned(statement.node)
        if rest is None or name not in targets:
            continue
        if isinstance(value, ast.Name) and value.id == rest.arg:
            return places + targets.index(name)
        at = value.slice if isinstance(value, ast.Subscript) else None
        if dotted(getattr(value, "value", None)) == rest.arg and isinstance(at, ast.Constant):
            return places + at.value if type(at.value) is int else None
    return None
