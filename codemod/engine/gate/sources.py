"""Under which names a config went before it came to a scope."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.code.lineage import members
from codemod.code.module import Module, Scope, dotted
from codemod.code.project import ClassInModule, Project
from codemod.code.sites import assigned
from codemod.code.traversal import walk
from codemod.engine.gate.handing import binds
from codemod.engine.gate.kinds import Mapping
from codemod.engine.gate.origin import enclosing, givens, trace

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
    for at, place in _setters(project, module, scope, name):
        for statement in place.statements:
            targets, value = assigned(statement.node)
            for source in _parts(project, at, place, value) if name in targets else ():
                if source[2] != name:
                    yield source


def _setters(
    project: Project, module: Module, scope: Scope, name: str
) -> tuple[tuple[Module, Scope], ...]:
    """Where a name is bound: an attribute in any method of the object, base classes' too."""
    if name.startswith("self.") and scope.owner is not None:
        return members(project, ClassInModule(module, scope.owner))
    return ((module, home(module, scope, name)),)


def _parts(
    project: Project, module: Module, place: Scope, value: ast.expr | None
) -> Iterator[Source]:
    """The value where it is a name, and the mappings that a call is given."""
    names = [whole] if (whole := dotted(value)) else []
    if isinstance(value, ast.Call):
        held = (part.id for part in walk(value) if isinstance(part, ast.Name))
        names = [name for name in held if trace(project, module, place, name) == Mapping()]
    for name in names:
        own = "." in name or name in place.parameters or binds(place, name)
        yield module, place if own else module.scopes[0], name


def _given(project: Project, module: Module, scope: Scope, name: str) -> Iterator[Source]:
    """What the calls of the function give its parameter, or its `*rest` that is taken apart."""
    index = _index(scope, name)
    for caller, value in givens(project, module, scope, name, index) if index is not None else ():
        yield from _parts(project, caller.module, caller.scope, value)


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
