"""Finds what trains without a rule: what is wrapped, optimized and called for the loss."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.engine.module import Module, Scope, callee, dotted
from codemod.engine.sites import (
    WRAPS,
    Kind,
    find,
    first_argument,
    group,
    optimized_names,
    optimizes,
    trains,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

NOT_MODELS = re.compile(r"loss|criteri|metric|optim", re.IGNORECASE)
NOT_TRAINING = re.compile(
    r"(^|[_.])(eval|evaluate|test|infer|inference|predict|export|validate|val|slim|demo)($|[_.])",
    re.IGNORECASE,
)
HINTS = (
    b"DataParallel|distributed_model|group_sharded_parallel|.backward(".replace(b"(", rb"\(")
).replace(b".b", rb"\.b")


@dataclass(frozen=True)
class Target:
    """A model to be hooked in a scope; `name` is what it is called there."""

    module: Module
    scope: Scope
    name: str


def targets(module: Module) -> Iterator[Target]:
    """The models that a file trains, each in the scope where it is best hooked."""
    seen: set[tuple[str, str]] = set()
    for target in (*_wrapped(module), *_optimized(module), *_classes(module)):
        owner = target.scope.owner.name if target.scope.owner else ""
        key = (owner or target.scope.name, target.name)
        shared = target.name.startswith("self.") and owner
        if key in seen or (shared and (owner, target.name) in seen):
            continue
        names = group(target.scope, target.name)
        seen |= {(key[0], name) for name in names}
        yield target


def _wrapped(module: Module) -> Iterator[Target]:
    for scope in module.scopes:
        given = [first_argument(call) for call in scope.calls if callee(call) in WRAPS]
        for name in filter(None, map(dotted, given)):
            if NOT_MODELS.search(name) or _frozen(scope, name):
                continue
            if _training(module, scope, name):
                yield Target(module, scope, name)


def _frozen(scope: Scope, name: str) -> bool:
    """Whether others are optimized in this scope and this one is not: a teacher."""
    trained = optimized_names(scope)
    return bool(trained) and not group(scope, name).intersection(trained)


def _training(module: Module, scope: Scope, name: str) -> bool:
    """Whether a wrapped model trains: evaluation wraps models too."""
    if trains(scope):
        return True
    if NOT_TRAINING.search(scope.function):
        return False
    names = group(scope, name)
    if optimizes(scope, names):
        return True
    if scope.owner is None:
        return False
    return any(trains(method) or optimizes(method, names) for method in module.methods(scope.owner))


def _optimized(module: Module) -> Iterator[Target]:
    """Models without a wrap: optimized, called and differentiated in one scope."""
    for scope in module.scopes:
        if not trains(scope):
            continue
        for name in optimized_names(scope):
            names = group(scope, name)
            kinds = {site.kind for site in find(scope, names)}
            known = kinds & {Kind.BUILD, Kind.ALIAS, Kind.PARAMETER}
            if Kind.FORWARD in kinds and known and not NOT_MODELS.search(name):
                yield Target(module, scope, name)


def _classes(module: Module) -> Iterator[Target]:
    """`self.model` built in one method, optimized and trained in others."""
    for owner in module.classes.values():
        methods = module.methods(owner)
        if not any(trains(method) for method in methods):
            continue
        names = dict.fromkeys(
            name
            for method in methods
            for name in optimized_names(method)
            if name.startswith("self.") and not NOT_MODELS.search(name)
        )
        for name in names:
            called = any(_calls(method, name) for method in methods)
            builder = next((m for m in methods if _builds(m, name)), None)
            if called and builder:
                yield Target(module, builder, name)


def _calls(scope: Scope, name: str) -> bool:
    return any(site.kind is Kind.FORWARD for site in find(scope, frozenset({name})))


def _builds(scope: Scope, name: str) -> bool:
    kinds = {site.kind for site in find(scope, group(scope, name))}
    return bool(kinds & {Kind.BUILD, Kind.PARAMETER}) and any(
        isinstance(s.node, ast.Assign) and name in [dotted(t) for t in s.node.targets]
        for s in scope.statements
    )


def is_fluid(scope: Scope) -> bool:
    """Whether the scope trains with `paddle.fluid`, which had no `paddle.jit.to_static`."""
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in ("dygraph", "optimizer")
        and dotted(node.value) in ("fluid", "paddle.fluid")
        for node in ast.walk(scope.node)
    )
