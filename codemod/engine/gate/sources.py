"""Under which names a config went before it came to a scope."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.code.lineage import members
from codemod.code.module import Scope, dotted
from codemod.code.traversal import walk
from codemod.engine.assignments import assignments, binds, values_of
from codemod.engine.gate.kinds import Mapping
from codemod.engine.gate.origin import givens, trace
from codemod.engine.point import Point

Source = tuple[Point, str]
_LEVELS = 6


def home(at: Point, name: str) -> Point:
    """The function that binds a name which a nested one reads."""
    while (
        not binds(at.scope, name)
        and name not in at.scope.parameters
        and "<locals>" in at.scope.name
    ):
        at = at.outer
    return at


def sources(at: Point, name: str, level: int = 0) -> Iterator[Source]:
    """The configs that one was made of or given as: `checked(dict(CONFIG))`, `Trainer(config)`."""
    if level > _LEVELS:
        return
    for source in (*_made_of(at, name), *_given(at, name)):
        yield source
        yield from sources(*source, level + 1)


def _made_of(at: Point, name: str) -> Iterator[Source]:
    for place in _setters(at, name):
        for value in values_of(place.scope, name):
            yield from (source for source in _parts(place, value) if source[1] != name)


def _setters(at: Point, name: str) -> Iterator[Point]:
    """Where a name is bound: an attribute in any method of the object, base classes' too."""
    if name.startswith("self.") and at.kin:
        yield from (at.to(*method) for method in members(at.project, at.kin))
    else:
        yield home(at, name)


def _parts(at: Point, value: ast.expr | None) -> Iterator[Source]:
    """The value where it is a name, and the mappings that a call is given."""
    names = [whole] if (whole := dotted(value)) else []
    if isinstance(value, ast.Call):
        held = (part.id for part in walk(value) if isinstance(part, ast.Name))
        names = [name for name in held if trace(at, name) == Mapping()]
    for name in names:
        own = "." in name or name in at.scope.parameters or binds(at.scope, name)
        yield at if own else at.top, name


def _given(at: Point, name: str) -> Iterator[Source]:
    """What the calls of the function give its parameter, or its `*rest` that is taken apart."""
    index = _index(at.scope, name)
    for caller, value in givens(at, name, index) if index is not None else ():
        yield from _parts(at.to(caller.module, caller.scope), value)


def _index(scope: Scope, name: str) -> int | None:
    """The place among a call's arguments that comes to a name of the function."""
    if isinstance(scope.node, ast.Module):
        return None
    own = 1 if scope.owner else 0
    if name in scope.parameters:
        return scope.parameters.index(name) - own
    rest, places = scope.node.args.vararg, len(scope.node.args.args) - own
    for _, targets, value in assignments(scope, name) if rest else ():
        if rest and isinstance(value, ast.Name) and value.id == rest.arg:
            return places + targets.index(name)
        at = value.slice if isinstance(value, ast.Subscript) else None
        whole = dotted(getattr(value, "value", None))
        if rest and whole == rest.arg and isinstance(at, ast.Constant):
            return places + at.value if type(at.value) is int else None
    return None
