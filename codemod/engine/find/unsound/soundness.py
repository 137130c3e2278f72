"""Loops in which a hooked model would train on wrong gradients, recognised from the code alone."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.calls import Called, encloses, hides
from codemod.code.happenings import mode
from codemod.code.lineage import members
from codemod.code.module import Module, Scope, dotted
from codemod.code.project import Project
from codemod.code.sites import group, trains
from codemod.engine.find.target import Target
from codemod.engine.find.unsound.accumulated import accumulated
from codemod.engine.find.unsound.kept import kept_by_forward
from codemod.engine.find.unsound.numbers import changing_number
from codemod.engine.find.unsound.twice import gone_back_twice

NO_GRAD = "no_grad"
CREATE_GRAPH = "create_graph"


def unsound(
    project: Project, target: Target, *, no_grad: bool = True, placed: bool = False
) -> Reason | None:
    """Why a hook on the model would be unsound or of no use, or None.

    `no_grad` says whether calls under `no_grad` will run the hooked model; `placed` that the hook
    will stand behind those of its own scope, or not at all.

    A program that is first traced under `no_grad` serves the later call with gradients too,
    and gives none: measured on Paddle 2.6.2 (the process aborts) and 3.3.1 (silent). In
    `eval` mode the model has a program of its own, which does no harm.
    """
    module, scope = target.module, target.scope
    places = tuple(_places(project, target))
    homes = {module: None} | {home: None for home, _, _ in places}
    for other, runs, called in places:
        if not trains(runs):
            continue
        if line := _differentiates_gradients(project, other, runs):
            place = _place(module, other, line)
            return Reason.of("engine.gradient-of-gradient", place=place)
        own = placed and runs is scope
        if no_grad and not own and (line := _without_gradients(runs, called)):
            place = _place(module, other, line)
            return Reason.of("engine.traced-without-gradients", place=place)
        if found := changing_number(project, other, runs, called):
            place = _place(module, other, found[0])
            return Reason.of("engine.changing-number", place=place, numbers=found[1])
        if kept := kept_by_forward(project, runs, called):
            place = _place(module, other, kept[0])
            return Reason.of("engine.kept-by-forward", place=place, name=kept[1])
        if both := gone_back_twice(other, runs, called):
            place = _place(module, other, both[1])
            return Reason.of("engine.backward-twice", place=place, line=both[0])
        if placed and (both := accumulated(homes, runs, called)):
            place = _place(module, other, both[1])
            return Reason.of("engine.accumulated", place=place, line=both[0])
    return None


def _place(module: Module, other: Module, line: int) -> Reason:
    """A line of the trainer's own file, or of another one."""
    if other is module:
        return Reason.of("code.line", line=line)
    return Reason.of("code.place", file=other.path, line=line)


def _places(project: Project, target: Target) -> Iterator[tuple[Module, Scope, frozenset[str]]]:
    """The scopes that run the model: its own, its class's methods, functions it is given to."""
    module, scope, names = target.module, target.scope, target.names
    yield module, scope, names
    attributes = {n for n in names if n.startswith("self.")}
    if scope.owner and attributes:
        inherited = (one for heir in target.heirs for one in members(project, heir))
        own = ((module, method) for method in module.methods(scope.owner))
        for home, method in dict.fromkeys((*own, *inherited)):
            for attribute in attributes if method is not scope else ():
                yield home, method, group(method, attribute)
    for nested in module.scopes:
        if encloses(Called(module, scope), Called(module, nested)) and trains(nested):
            seen = (name for name in names if not hides(nested, name.split(".")[0]))
            yield module, nested, frozenset(alias for name in seen for alias in group(nested, name))
    for call in scope.calls:
        given = [i for i, argument in enumerate(call.args) if dotted(argument) in names]
        named = [k.arg for k in call.keywords if k.arg and dotted(k.value) in names]
        found = project.function_named(module, call.func) if given or named else None
        if found:
            inner = found[1]
            received = [*(inner.parameters[i] for i in given if i < len(inner.parameters)), *named]
            for parameter in received[:1]:
                yield found[0], inner, group(inner, parameter)


def _differentiates_gradients(project: Project, module: Module, scope: Scope) -> int | None:
    """The line of a gradient that is kept to be differentiated, or of the call that makes one."""
    if not project.mentioning(CREATE_GRAPH):
        return None
    for call in scope.calls:
        if creates_graph(call):
            return call.lineno
        found = project.function_named(module, call.func)
        if found and found[1].mentions(CREATE_GRAPH) and any(map(creates_graph, found[1].calls)):
            return call.lineno
    return None


def creates_graph(call: ast.Call) -> bool:
    """Whether a call keeps the graph of the gradient that it makes."""
    given = (word.value for word in call.keywords if word.arg == CREATE_GRAPH)
    return any(not (isinstance(value, ast.Constant) and not value.value) for value in given)


def _without_gradients(scope: Scope, names: frozenset[str]) -> int | None:
    """The line of a call under `no_grad` and in training mode that comes before any other."""
    calls = {call.lineno for call in scope.calls if dotted(call.func) in names}
    without: set[int] = set()
    for statement in scope.statements:
        items = statement.node.items if isinstance(statement.node, ast.With) else []
        if any(NO_GRAD in ast.unparse(item.context_expr) for item in items):
            end = statement.node.end_lineno or 0
            without |= {line for line in calls if statement.node.lineno <= line <= end}
    first = min(calls, default=0)
    return first if first in without and mode(scope, names, first) == "train" else None
