"""Models that a nested function trains, and that the function or module around it builds.

`def step(batch): loss = model(batch).mean()` names a model of the scope around it, and that is
where it is built, optimized and hooked.
"""

from __future__ import annotations

from collections.abc import Iterator

from codemod.code.calls import Called, encloses, hides
from codemod.code.module import Module, Scope
from codemod.code.sites import Kind, find, group, optimized_names, runs, trains
from codemod.engine.find.target import NOT_MODELS, Target


def seen_from(module: Module) -> Iterator[Target]:
    """Models of a scope that it (or the function in it) optimizes and the function trains."""
    for inner in module.scopes:
        if not trains(inner):
            continue
        for outer in _around(module, inner):
            names = dict.fromkeys((*optimized_names(inner), *optimized_names(outer)))
            for name in names:
                if not NOT_MODELS.search(name) and _trained(inner, outer, name):
                    yield Target(module, outer, name)


def _around(module: Module, inner: Scope) -> Iterator[Scope]:
    """The scopes whose names a function sees, the nearest first."""
    for outer in reversed(module.scopes):
        if encloses(Called(module, outer), Called(module, inner)):
            yield outer


def _trained(inner: Scope, outer: Scope, name: str) -> bool:
    names = group(outer, name)
    kinds = {site.kind for site in find(outer, names)}
    if not kinds & {Kind.BUILD, Kind.ALIAS, Kind.PARAMETER}:
        return False
    return any(not hides(inner, one.split(".")[0]) and runs(inner, one) for one in names)
