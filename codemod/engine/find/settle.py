"""Which method of a trainer class a hook belongs in: the one that does last what must come first.

`__init__` builds `self.model`, another method converts and wraps it, a third one trains, each maybe
in a class of its own that the next is derived from. The methods are followed in the order in which
the users of the class call them.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from codemod.base.reason import Reason
from codemod.code.calls import Called, meant, of_object
from codemod.code.happenings import every_site, own_sites
from codemod.code.lineage import heirs, lineage, members, methods_named
from codemod.code.module import Module, Scope, Statement, dotted
from codemod.code.project import ClassInModule, Project, of_super
from codemod.code.sites import Kind, group, trains
from codemod.code.wraps import all_sites
from codemod.engine.assignments import assignments
from codemod.engine.find.target import HANDLES, Target, handled

_LIMITS = frozenset({Kind.WRAP, Kind.FORWARD})
_LOWER = frozenset({Kind.BUILD, Kind.DERIVE, Kind.CONVERT, Kind.COPY, Kind.CHANGE, Kind.PEEK})
_RUNS = frozenset({Kind.FORWARD, Kind.PEEK, Kind.CHANGE})
_LEVELS = 4


@dataclass(frozen=True)
class _Step:
    """What one statement does to the model, and the method of the object that it calls."""

    method: Called
    kinds: frozenset[Kind]
    inner: Called | None


@dataclass(frozen=True)
class _Path:
    """The methods that a user of a class calls, in order; `place` is where it makes the object."""

    kin: ClassInModule
    place: Reason
    entries: tuple[Called, ...]


def settled(project: Project, target: Target) -> Target:
    """The target in the method for its hook, or as it is where the order cannot be told.

    Every path that trains is followed: each script that makes an object of the class, or of one
    derived from it. Where the paths do not come to one place, the doubt names two of them.
    """
    owner = target.scope.owner
    if owner is None or not target.name.startswith("self.") or target.doubt:
        return target
    if given := _elsewhere(project, target.module, owner, target.name):
        return replace(target, doubt=Reason.of("engine.handled-elsewhere", place=given))
    kins = _classes(project, target.module, owner, target.scope)
    paths = [path for kin in kins for path in _paths(project, kin)]
    plain = len(kins) == 1 and len(lineage(project, kins[0])) == 1
    found = [(path, _place(project, path.entries, target.name, _LEVELS)) for path in paths]
    placed = [(path, place) for path, place in found if place is not None]
    if not placed or (plain and all(len(path.entries) < 2 for path in paths)):
        return target if plain or paths else _unordered(project, target, kins)
    path, place = placed[0]
    beside = _beside(project, kins, place, target.name)
    for other, elsewhere in (*placed[1:], *beside):
        if elsewhere.scope is not place.scope:
            return replace(target, doubt=_collision(path, place, other, elsewhere))
    heirs = () if plain else tuple(dict.fromkeys(one.kin for one, _ in placed))
    return replace(target, module=place.module, scope=place.scope, settled=True, heirs=heirs)


def _beside(
    project: Project, kins: tuple[ClassInModule, ...], place: Called, name: str
) -> Iterator[tuple[_Path, Called]]:
    """The paths of further classes that run the method of the place, each with its own place."""
    owner = place.scope.owner
    for kin in _classes(project, place.module, owner, place.scope) if owner else ():
        for path in _paths(project, kin) if kin not in kins else ():
            runs_it = any(one.scope is place.scope for one in _reached(project, path.entries))
            found = _place(project, path.entries, name, _LEVELS) if runs_it else None
            if found:
                yield path, found


def _collision(path: _Path, place: Called, other: _Path, elsewhere: Called) -> Reason:
    return Reason.of(
        "engine.paths-collide",
        first=path.place,
        one=_shown(place),
        second=other.place,
        other=_shown(elsewhere),
    )


def _shown(place: Called) -> Reason:
    line = getattr(place.scope.node, "lineno", 1)
    return Reason.of("code.place", file=place.module.path, line=line)


def _classes(
    project: Project, module: Module, owner: ast.ClassDef, scope: Scope
) -> tuple[ClassInModule, ...]:
    """The class of a method and those derived from it, as far as their objects run that method."""
    own = ClassInModule(module, owner)
    return tuple(
        kin
        for kin in (own, *heirs(project, own))
        if any(method is scope for _, method in members(project, kin))
    )


def _paths(project: Project, kin: ClassInModule) -> Iterator[_Path]:
    """What the users of a class call, in order, where they train; one path for each order."""
    init = next(methods_named(project, kin, "__init__"), None)
    told: set[tuple[str, ...]] = set()
    for caller in project.made(kin) if init else ():
        names = {
            targets[0] for _, targets, value in assignments(caller.scope) if value is caller.call
        }
        called = [
            call.func.attr
            for call in sorted(caller.scope.calls, key=lambda call: call.lineno)
            if isinstance(call.func, ast.Attribute)
            and (dotted(call.func.value) in names or call.func.value is caller.call)
        ]
        order = ("__init__", *dict.fromkeys(called))
        methods = (next(methods_named(project, kin, name), None) for name in order)
        entries = tuple(Called(*method, kin) for method in methods if method)
        trained = any(trains(one.scope) for one in _reached(project, entries))
        if order not in told and trained:
            told.add(order)
            place = Reason.of("code.place", file=caller.module.path, line=caller.call.lineno)
            yield _Path(kin, place, entries)


def _reached(project: Project, entries: tuple[Called, ...]) -> Iterator[Called]:
    """The methods, and those that they call of the same object."""
    waiting, seen = list(entries), {one.scope for one in entries}
    while waiting:
        caller = waiting.pop()
        yield caller
        for call in caller.scope.calls:
            for inner in meant(project, caller, call) if of_object(call) else ():
                if inner.scope not in seen:
                    seen.add(inner.scope)
                    waiting.append(inner)


def _unordered(project: Project, target: Target, kins: tuple[ClassInModule, ...]) -> Target:
    """The target as it is, or the doubt that another class handles its model nobody knows when."""
    for kin in kins:
        for module, method in members(project, kin):
            if method.owner is target.scope.owner:
                continue
            for site in own_sites(method, group(method, target.name)):
                if site.kind in HANDLES and site.statement:
                    line = site.statement.node.lineno
                    place = Reason.of("code.place", file=module.path, line=line)
                    return replace(target, doubt=Reason.of("engine.order-unknown", place=place))
    return target


def _elsewhere(project: Project, module: Module, owner: ast.ClassDef, name: str) -> str | None:
    """The line where another function of the file copies, changes or wraps an object's model.

    Callbacks do: `trainer.model = convert(trainer.model)`, and the order in which they are called
    is not followed. One that only wraps comes after the hook in any order, where that stands at
    the build: it must have been given a model.
    """
    handles = HANDLES if _prepared(project, module, owner, name) else HANDLES - {Kind.WRAP}
    for scope in module.scopes:
        for given in scope.parameters if scope.owner is not owner else ():
            theirs = name.replace("self", given, 1)
            named = given != "self" and scope.mentions(theirs)
            place = handled(project, module, scope, theirs, handles) if named else None
            if place:
                return place
    return None


def _prepared(project: Project, module: Module, owner: ast.ClassDef, name: str) -> bool:
    """Whether a class itself does to its model what a hook has to come after, but for the build."""
    done = _LOWER - {Kind.BUILD}
    return any(handled(project, module, one, name, done) for one in module.methods(owner))


def _place(project: Project, entries: tuple[Called, ...], name: str, levels: int) -> Called | None:
    """The method that does the last of what must come before the first wrap or call."""
    last: _Step | None = None
    for method in entries:
        for step in _steps(project, method, name, levels):
            if step.kinds & _LIMITS:
                if step.kinds & _LOWER and step.inner is not None:
                    inner = _place(project, (step.inner,), name, levels - 1)
                    return inner or _method(project, last, name, levels)
                return _method(project, last, name, levels)
            if step.kinds & _LOWER:
                last = step
    return _method(project, last, name, levels)


def _method(project: Project, step: _Step | None, name: str, levels: int) -> Called | None:
    if step is None or step.inner is None:
        return step.method if step else None
    return _place(project, (step.inner,), name, levels - 1)


def _steps(project: Project, method: Called, name: str, levels: int) -> Iterator[_Step]:
    """What each statement of a method does to the model, other methods of the object included."""
    scope = method.scope
    names = group(scope, name)
    wraps = (site for site in all_sites(project, method, names) if site.kind not in _RUNS)
    sites = [*wraps, *every_site(project, method, names)]
    # A copy after an evaluation is no copy after training.
    sites = [site for site in sites if site.kind is not Kind.FORWARD or site.trains]
    for statement in scope.statements:
        kinds = {site.kind for site in sites if site.statement is statement}
        inner = _called(project, method, statement)
        if inner is not None and levels:
            for step in _steps(project, inner, name, levels - 1):
                kinds |= step.kinds
        if kinds & (_LIMITS | _LOWER):
            yield _Step(method, frozenset(kinds), inner)


def _called(project: Project, method: Called, statement: Statement) -> Called | None:
    """The method of the same object that a statement calls."""
    for call in statement.calls:
        own = of_super(call) or (dotted(call.func) or "").rpartition(".")[0] == "self"
        found = meant(project, method, call) if own else iter(())
        inner = next((one for one in found if one.scope is not method.scope), None)
        if inner:
            return inner
    return None
