"""Modules that know their step, and trainers that differentiate what any of them returns.

`loss = module.training_step(batch); loss.backward()` trains the models that `training_step` calls,
in the class of whatever `module` is.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import Module, Scope, callee, dotted
from codemod.code.project import Project
from codemod.code.sites import Kind, find, group, optimized_names, runs, trains
from codemod.engine.assignments import assignments
from codemod.engine.find.target import NOT_MODELS, NOT_TRAINING, Target, handled

_MADE = frozenset({Kind.BUILD, Kind.ALIAS, Kind.PARAMETER})


def stepped(project: Project, module: Module) -> Iterator[Target]:
    """The models of the classes whose step a trainer of this file differentiates."""
    steps = {name for scope in module.scopes if trains(scope) for name in _steps(scope)}
    for name in sorted(steps):
        for path in project.mentioning(f"def {name}(self"):
            home = project.module(path)
            for owner in home.classes.values() if home else ():
                yield from _stepped_by(project, home, owner, name) if home else ()


def _steps(scope: Scope) -> Iterator[str]:
    """The methods of what the scope is given whose value it differentiates."""
    lost = {
        dotted(call.func.value)
        for call in scope.calls
        if callee(call) == "backward" and isinstance(call.func, ast.Attribute)
    }
    for _, targets, value in assignments(scope):
        if not lost.intersection(targets) or not isinstance(value, ast.Call):
            continue
        owner, _, method = (dotted(value.func) or "").rpartition(".")
        if owner in scope.parameters and owner != "self":
            yield method


def _stepped_by(
    project: Project, module: Module, owner: ast.ClassDef, step: str
) -> Iterator[Target]:
    """The models of one class: built in its constructor, optimized, and called by its step."""
    methods = module.methods(owner)
    init = next((method for method in methods if method.function == "__init__"), None)
    own = next((method for method in methods if method.function == step), None)
    if init is None or own is None or NOT_TRAINING.search(owner.name):
        return
    optimized = dict.fromkeys(name for method in methods for name in optimized_names(method))
    for name in optimized:
        names = group(init, name)
        built = any(site.kind in _MADE for site in find(init, names))
        if built and name.startswith("self.") and not NOT_MODELS.search(name) and runs(own, name):
            yield Target(module, init, name, _handled(project, module, methods, init, name))


def _handled(
    project: Project, module: Module, methods: tuple[Scope, ...], init: Scope, name: str
) -> Reason | None:
    """Why the constructor is no place for the hook: another method handles the model later."""
    others = (method for method in methods if method is not init and method.mentions(name))
    places = (handled(project, module, method, name) for method in others)
    place = next(filter(None, places), None)
    return Reason.of("engine.handled-elsewhere", place=place) if place else None
