"""Models that one function builds, wraps or optimizes, and hands to another that trains them.

The hook belongs where the model is built, before it is wrapped, so callers are followed up.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator

from codemod.code.calls import Called
from codemod.code.module import Module, Scope, dotted
from codemod.code.project import Caller, Project
from codemod.code.sites import Kind, Site, find, group, optimized_names, optimizes, runs, trains
from codemod.code.wraps import all_sites
from codemod.engine.assignments import given
from codemod.engine.find.target import NOT_MODELS, NOT_TRAINING, Target, loops_around

_LEVELS = 3
MODEL = re.compile(r"(^|_)(model|net|network)$")


def lift(project: Project, target: Target, level: int) -> Iterator[Target]:
    """The target, or its callers' model where a hook in the target's own scope would be wrong.

    A hook on what a caller wrapped raises when it is called, and one in a function that runs
    once an epoch would be made anew each time.
    """
    scope, names = target.scope, target.names
    received = names.intersection(scope.parameters)
    above = []
    if received and level < _LEVELS and not target.doubt:
        for caller, name in givers(project, target.module, scope, received):
            names = group(caller.scope, name)
            sites = all_sites(project, Called(caller.module, caller.scope), names)
            looped = loops_around(caller.scope, caller.call)
            if looped or any(_wraps_before(site, caller) for site in sites):
                above.append(Target(caller.module, caller.scope, name))
    for higher in above:
        yield from lift(project, higher, level + 1)
    if not above:
        yield target


def _wraps_before(site: Site, caller: Caller) -> bool:
    """Whether a site wraps the model, in a function that it calls only where that comes first."""
    if site.kind is not Kind.WRAP or site.statement is None:
        return False
    return not site.where or site.statement.node.lineno < caller.call.lineno


def givers(
    project: Project, module: Module, scope: Scope, received: frozenset[str]
) -> Iterator[tuple[Caller, str]]:
    """The callers of a scope that hand it a named model, and the name."""
    offset = 1 if scope.owner else 0
    for caller in project.callers(module, scope):
        handed_over = given(caller.call, scope.parameters[offset:])
        for parameter in sorted(received):
            name = dotted(handed_over.get(parameter))
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
        for caller, name in givers(project, module, scope, called):
            names = group(caller.scope, name)
            if names.intersection(optimized_names(caller.scope)):
                yield from lift(project, Target(caller.module, caller.scope, name), 0)


def held(project: Project, module: Module) -> Iterator[Target]:
    """Models that a loop reaches through their engine: `self.trainer.model(x)`, `engine.model(x)`.

    The engine is the class that builds and optimizes such an attribute; of several the
    nearest in the tree of folders. Where two are as near, nothing is said.
    """
    reached: set[str] = set()
    for scope in module.scopes:
        together = module.methods(scope.owner) if scope.owner else (scope,)
        if any(trains(place) for place in together):
            reached.update(_through(scope))
    for attribute in sorted(name for name in reached if MODEL.search(name)):
        engines = list(_engines(project, f"self.{attribute}"))
        near = [_shared(module.path, engine.module.path) for engine in engines]
        if near and near.count(max(near)) == 1:
            yield engines[near.index(max(near))]


def _through(scope: Scope) -> Iterator[str]:
    """The attributes of another object that the scope calls."""
    for call in scope.calls:
        owner, _, attribute = (dotted(call.func) or "").rpartition(".")
        given = owner in scope.parameters and owner != "self"
        if given or (owner.startswith("self.") and owner.count(".") == 1):
            yield attribute


def _shared(one: str, other: str) -> int:
    """How many folders two paths have in common."""
    pairs = zip(one.split("/")[:-1], other.split("/")[:-1], strict=False)
    return sum(1 for _ in itertools.takewhile(lambda pair: pair[0] == pair[1], pairs))


def _engines(project: Project, name: str) -> Iterator[Target]:
    for path in project.mentioning(f"{name} = "):
        if b"optimizer" not in project.tree.read(path):
            continue
        module = project.module(path)
        for owner in module.classes.values() if module else ():
            for method in module.methods(owner) if module else ():
                names = group(method, name)
                built = any(site.kind is Kind.BUILD for site in find(method, names))
                if module and built and optimizes(method, names):
                    yield Target(module, method, name)
