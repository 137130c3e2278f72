"""Wraps and training loops in the repository's own functions, followed from the calls of these.

`unet, optimizer = accelerator.prepare(unet, optimizer)` wraps when the method does, or a function
that it calls in turn; `model = build(cfg)` gives a wrapper when the function returns one.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.code.calls import Called, meant, reaches, sees, taken
from codemod.code.module import Scope, dotted
from codemod.code.project import Project
from codemod.code.sites import Kind, Site, assigned, find, passes, runs, trains

_LEVELS = 4
_REMADE = (Kind.BUILD, Kind.DERIVE)


def all_sites(project: Project, caller: Called, names: frozenset[str]) -> tuple[Site, ...]:
    """As `find`, and calls of the repository's own functions that wrap the model are wraps."""
    scope = caller.scope
    found = find(scope, names)
    told = {site.statement for site in found if site.kind is Kind.WRAP}
    wraps: list[Site] = []
    for statement in scope.statements:
        targets, value = assigned(statement.node)
        remade = [target for target in targets if target in names]
        for call in statement.calls if statement not in told else ():
            where = None
            if reaches(caller, call, names):
                guess = bool(remade) and passes(call, names)
                where = _wrap_below(project, caller, call, names, _LEVELS, guess=guess)
            if where is None and remade and call is value:
                index = targets.index(remade[0]) if len(targets) > 1 else None
                where = _given_back(project, caller, call, index, _LEVELS)
            if where:
                name = remade[0] if remade else dotted(call.func) or ""
                wraps.append(Site(Kind.WRAP, name, statement, call, where))
                break
    held = {site.statement for site in wraps}
    kept = [s for s in found if s.statement not in held or s.kind not in _REMADE]
    return tuple(sorted((*kept, *wraps), key=lambda site: site.line)) if wraps else found


def handed_to_train(project: Project, caller: Called, names: frozenset[str]) -> Iterator[Site]:
    """Calls that hand the model to a function of the repository that trains it.

    A hook behind such a call comes too late, as behind a forward in the scope itself.
    """
    for statement in caller.scope.statements:
        for call in statement.calls:
            reached = passes(call, names) or sees(caller, call, names)
            where = _trained_below(project, caller, call, names) if reached else None
            if where:
                yield Site(Kind.FORWARD, dotted(call.func) or "", statement, call, where)
                break


def _trained_below(
    project: Project, caller: Called, call: ast.Call, names: frozenset[str]
) -> str | None:
    """FILE:LINE of the function that the call hands the model to and that trains it, or None."""
    for function in meant(project, caller, call):
        module, inner, _ = function
        given = taken(caller, function, call, names) if trains(inner) else ()
        if any(runs(inner, name) for name in given):
            return f"{module.path}:{getattr(inner.node, 'lineno', 1)}"
    return None


def _wrap_below(
    project: Project,
    caller: Called,
    call: ast.Call,
    names: frozenset[str],
    levels: int,
    *,
    guess: bool = False,
) -> str | None:
    for function in meant(project, caller, call, guess=guess):
        inner = function.scope
        if inner is caller.scope:
            continue
        known = taken(caller, function, call, names)
        if not known:
            continue
        wrap = next((s for s in find(inner, known) if s.kind is Kind.WRAP and s.statement), None)
        if wrap is not None:
            return f"{function.module.path}:{wrap.line}"
        for further in inner.calls if levels else ():
            if reaches(function, further, known):
                found = _wrap_below(project, function, further, known, levels - 1)
                if found:
                    return found
    return None


def _given_back(
    project: Project, caller: Called, call: ast.Call, index: int | None, levels: int
) -> str | None:
    """FILE:LINE of the wrap of what the called function returns, at `index` of a tuple."""
    for function in meant(project, caller, call) if levels else ():
        scope = function.scope
        for statement in scope.statements:
            value = statement.node.value if isinstance(statement.node, ast.Return) else None
            if isinstance(value, ast.Tuple):
                value = value.elts[index] if index is not None and index < len(value.elts) else None
            elif index is not None and not isinstance(value, ast.Call):
                value = None
            where = _is_wrapper(project, function, value, levels)
            if where:
                return where
    return None


def _is_wrapper(
    project: Project, function: Called, value: ast.expr | None, levels: int
) -> str | None:
    """FILE:LINE of the wrap that made a value, or None where it is not known to be a wrapper."""
    made = [value] if isinstance(value, ast.Call) else []
    name = dotted(value)
    names = _given_to(function.scope, name) if name else frozenset()
    for statement in function.scope.statements if name else ():
        targets, call = assigned(statement.node)
        if names.intersection(targets[:1]) and isinstance(call, ast.Call):
            made.append(call)
    for call in made:
        given = frozenset(filter(None, map(dotted, call.args)))
        wraps = (s for s in find(function.scope, given | {name or ""}) if s.kind is Kind.WRAP)
        if any(s.call is call or (s.call is None and _holds(s, call)) for s in wraps):
            return f"{function.module.path}:{call.lineno}"
        where = _given_back(project, function, call, None, levels - 1)
        if where:
            return where
    return None


def _given_to(scope: Scope, name: str) -> frozenset[str]:
    """A name and those that it was assigned from: `model = wrapped` makes it a wrapper too."""
    names = {name}
    for statement in reversed(scope.statements):
        targets, value = assigned(statement.node)
        other = dotted(value)
        if other and names.intersection(targets):
            names.add(other)
    return frozenset(names)


def _holds(site: Site, call: ast.Call) -> bool:
    return site.statement is not None and call in site.statement.calls
