"""Models that one function builds, wraps or optimizes, and hands to another that trains them.

The hook belongs where the model is built, before it is wrapped, so callers are followed up.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.engine.module import dotted
from codemod.engine.sites import Kind, find, group, optimized_names, runs, trains
from codemod.engine.target import NOT_MODELS, NOT_TRAINING, Target

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.engine.module import Module, Scope
    from codemod.engine.project import Caller, Project

_LEVELS = 3


def lift(project: Project, target: Target, level: int) -> Iterator[Target]:
    """The target, or its callers' model where a hook in the target's own scope would be wrong.

    A hook on what a caller wrapped raises when it is called, and one in a function that runs
    once an epoch would be made anew each time.
    """
    scope, names = target.scope, group(target.scope, target.name)
    received = names.intersection(scope.parameters)
    above = []
    if received and level < _LEVELS and not target.doubt:
        for caller, name in _givers(project, target.module, scope, received):
            kinds = {site.kind for site in find(caller.scope, group(caller.scope, name))}
            if Kind.WRAP in kinds or _loops(caller):
                above.append(Target(caller.module, caller.scope, name))
    for higher in above:
        yield from lift(project, higher, level + 1)
    if not above:
        yield target


def _loops(caller: Caller) -> bool:
    """Whether the call stands in a loop of its scope."""
    line = caller.call.lineno
    return any(
        isinstance(s.node, (ast.For, ast.While)) and s.node.lineno < line <= _end(s.node)
        for s in caller.scope.statements
    )


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _givers(
    project: Project, module: Module, scope: Scope, received: frozenset[str]
) -> Iterator[tuple[Caller, str]]:
    """The callers of a scope that hand it a named model, and the name."""
    offset = 1 if scope.owner else 0
    for caller in project.callers(module, scope):
        given = dict(zip(scope.parameters[offset:], caller.call.args, strict=False))
        given |= {k.arg: k.value for k in caller.call.keywords if k.arg}
        for parameter in sorted(received):
            name = dotted(given.get(parameter))
            if name:
                yield caller, name


def handed(project: Project, module: Module, known: frozenset[tuple[str, str]]) -> Iterator[Target]:
    """Models that one scope optimizes and hands to another that runs and differentiates them.

    `known` names models, with their scopes, that are to be hooked already.
    """
    for scope in module.scopes:
        if not trains(scope) or NOT_TRAINING.search(scope.function):
            continue
        called = frozenset(
            name
            for name in scope.parameters
            if (scope.name, name) not in known and not NOT_MODELS.search(name) and runs(scope, name)
        )
        if not called or called.intersection(optimized_names(scope)):
            continue
        for caller, name in _givers(project, module, scope, called):
            names = group(caller.scope, name)
            if names.intersection(optimized_names(caller.scope)):
                yield from lift(project, Target(caller.module, caller.scope, name), 0)
