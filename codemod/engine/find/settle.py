"""Which method of a trainer class a hook belongs in: the one that does last what must come first.

`__init__` builds `self.model`, another method converts and wraps it, a third one trains. The
methods are followed in the order in which the class's users call them.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from codemod.base.reason import Reason
from codemod.code.happenings import handed_sites, own_sites
from codemod.code.module import Scope, Statement, dotted
from codemod.code.sites import Kind, assigned, group
from codemod.code.wraps import all_sites

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.code.module import Module
    from codemod.code.project import Project
    from codemod.engine.find.target import Target

_LIMITS = frozenset({Kind.WRAP, Kind.FORWARD})
_LOWER = frozenset({Kind.BUILD, Kind.DERIVE, Kind.CONVERT, Kind.COPY, Kind.CHANGE, Kind.PEEK})
_HANDLES = frozenset({Kind.WRAP, Kind.CONVERT, Kind.COPY, Kind.CHANGE, Kind.PEEK})
_RUNS = frozenset({Kind.FORWARD, Kind.PEEK, Kind.CHANGE})
_LEVELS = 4


@dataclass(frozen=True)
class _Step:
    """What one statement does to the model, and the method of the class that it calls."""

    method: Scope
    kinds: frozenset[Kind]
    inner: Scope | None


def settled(project: Project, target: Target) -> Target:
    """The target in the method for its hook, or as it is where the order cannot be told."""
    owner = target.scope.owner
    if owner is None or not target.name.startswith("self.") or target.doubt:
        return target
    if place := _elsewhere(project, target.module, owner, target.name):
        return replace(target, doubt=Reason.of("engine.handled-elsewhere", place=place))
    entries = tuple(_entries(project, target.module, owner))
    if len(entries) < 2:
        return target
    found = _place(project, target.module, entries, target.name, _LEVELS)
    if found is None:
        return target
    return replace(target, scope=found, settled=True)


def _entries(project: Project, module: Module, owner: ast.ClassDef) -> Iterator[Scope]:
    """The methods that the class's users call, in order; nothing where two users differ."""
    methods = {method.function: method for method in module.methods(owner)}
    init = methods.get("__init__")
    if init is None:
        return
    orders: set[tuple[str, ...]] = set()
    for caller in project.callers(module, init):
        names = {
            targets[0]
            for statement in caller.scope.statements
            for targets, value in [assigned(statement.node)]
            if targets and value is caller.call
        }
        called = [
            call.func.attr
            for call in sorted(caller.scope.calls, key=lambda call: call.lineno)
            if isinstance(call.func, ast.Attribute)
            and (dotted(call.func.value) in names or call.func.value is caller.call)
        ]
        orders.add(tuple(dict.fromkeys(name for name in called if name in methods)))
    if len(orders) == 1:
        yield init
        yield from (methods[name] for name in orders.pop())


def _elsewhere(project: Project, module: Module, owner: ast.ClassDef, name: str) -> str | None:
    """The line where another function of the file copies, changes or wraps an object's model.

    Callbacks do: `trainer.model = convert(trainer.model)`, and nothing says when they are called.
    """
    for scope in module.scopes:
        for given in scope.parameters if scope.owner is not owner else ():
            theirs = name.replace("self", given, 1)
            names = group(scope, theirs) if given != "self" and scope.mentions(theirs) else None
            sites = (
                [*own_sites(scope, names), *handed_sites(project, module, scope, names)]
                if names
                else []
            )
            for site in sites:
                if site.kind in _HANDLES and site.statement:
                    return f"{module.path}:{site.statement.node.lineno}"
    return None


def _place(
    project: Project, module: Module, entries: tuple[Scope, ...], name: str, levels: int
) -> Scope | None:
    """The method that does the last of what must come before the first wrap or call."""
    last: _Step | None = None
    for method in entries:
        for step in _steps(project, module, method, name, levels):
            if step.kinds & _LIMITS:
                if step.kinds & _LOWER and step.inner is not None:
                    inner = _place(project, module, (step.inner,), name, levels - 1)
                    return inner or _scope(project, module, last, name, levels)
                return _scope(project, module, last, name, levels)
            if step.kinds & _LOWER:
                last = step
    return _scope(project, module, last, name, levels)


def _scope(
    project: Project, module: Module, step: _Step | None, name: str, levels: int
) -> Scope | None:
    if step is None or step.inner is None:
        return step.method if step else None
    return _place(project, module, (step.inner,), name, levels - 1)


def _steps(
    project: Project, module: Module, method: Scope, name: str, levels: int
) -> Iterator[_Step]:
    """What each statement of a method does to the model, other methods of the class included."""
    names = group(method, name)
    where = (project, module, method, names)
    wraps = (site for site in all_sites(*where) if site.kind not in _RUNS)
    sites = [*wraps, *own_sites(method, names), *handed_sites(*where)]
    # A copy after an evaluation is no copy after training.
    sites = [site for site in sites if site.kind is not Kind.FORWARD or site.trains]
    for statement in method.statements:
        kinds = {site.kind for site in sites if site.statement is statement}
        inner = _called(module, method, statement)
        if inner is not None and levels:
            for step in _steps(project, module, inner, name, levels - 1):
                kinds |= step.kinds
        if kinds & (_LIMITS | _LOWER):
            yield _Step(method, frozenset(kinds), inner)


def _called(module: Module, method: Scope, statement: Statement) -> Scope | None:
    """The method of the same class that a statement calls."""
    for call in statement.calls:
        owner, _, function = (dotted(call.func) or "").rpartition(".")
        if owner == "self" and method.owner is not None:
            found = (m for m in module.methods(method.owner) if m.function == function)
            return next((m for m in found if m is not method), None)
    return None
