"""Finds what trains without a rule: what is wrapped, optimized and called for the loss.

A model that one function builds and wraps and another trains is hooked where it is built.
What looks like training but cannot be hooked is a target with a `doubt`, so that it can be
reported instead of being passed over in silence.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from codemod.base.reason import Reason
from codemod.code.calls import Called, encloses, hides
from codemod.code.lineage import Method, heirs, members
from codemod.code.module import Module, Scope, callee, dotted
from codemod.code.project import ClassInModule, Project
from codemod.code.sites import (
    COPIES,
    WRAPS,
    Kind,
    find,
    first_argument,
    group,
    optimized_names,
    optimizes,
    passes,
    runs,
    trains,
)
from codemod.engine.assignments import assignments
from codemod.engine.find.handover import handed, held, lift
from codemod.engine.find.highlevel import FITS, high_level
from codemod.engine.find.target import NOT_MODELS, NOT_TRAINING, Target, handled

HINTS = (
    rb"DataParallel|distributed_model|group_sharded_parallel|\.backward\(|\.fit\(|"
    rb"\.train_batch\("
)
# Methods of every layer: to call one of them is not to run the model.
_COMMON = re.compile(
    r"(named_)?(parameters|sublayers|children|buffers)|(set_)?state_dict|(set|load)_dict"
    r"|(save|from|load)_pretrained|train|eval|apply|to|astype|summary|full_name|no_sync"
    r"|clear_gradients|register_buffer|save_parameters|init_weights"
)


def targets(project: Project, module: Module) -> Iterator[Target]:
    """The models that a file trains, each in the scope (maybe of another file) to hook it in."""
    seen: set[tuple[str, str, str]] = set()
    backward = "backward" in module.text
    found = [*_wrapped(module)] if any(word in module.text for word in WRAPS) else []
    found += (*_optimized(module), *_classes(module), *seen_from(module)) if backward else ()
    found += stepped(project, module) if backward else ()
    lifted = [above for target in found for above in lift(project, target, 0)]
    known = frozenset((target.scope.name, target.name) for target in found)
    more = (*handed(project, module, known), *held(project, module)) if backward else ()
    high = high_level(module) if any(f".{word}(" in module.text for word in FITS) else ()
    for target in (*lifted, *more, *high):
        path, scope = target.module.path, target.scope
        owner = scope.owner.name if scope.owner and target.name.startswith("self.") else ""
        if (path, owner or scope.name, target.name) in seen:
            continue
        names = group(scope, target.name)
        seen |= {(path, scope.name, name) for name in names}
        if scope.owner:
            mine = [name for name in names if name.startswith("self.")]
            seen |= {(path, scope.owner.name, name) for name in mine}
        yield target


def _wrapped(module: Module) -> Iterator[Target]:
    for scope in module.scopes:
        if not scope.mentions(*WRAPS):
            continue
        given = [first_argument(call) for call in scope.calls if callee(call) in WRAPS]
        for name in filter(None, (*map(dotted, given), *_wrapped_at_once(scope))):
            if NOT_MODELS.search(name) or _frozen(scope, name):
                continue
            if _training(module, scope, name):
                yield Target(module, scope, name)


def _wrapped_at_once(scope: Scope) -> Iterator[str]:
    """Names that are given a model built in the very call that wraps it."""
    for _, names, value in assignments(scope):
        if isinstance(value, ast.Call) and callee(value) in WRAPS:
            built = isinstance(first_argument(value), ast.Call)
            yield from names[:1] if built else ()


def _frozen(scope: Scope, name: str) -> bool:
    """Whether others are optimized in this scope and this one is not: a teacher.

    A model built around an optimized one (`StackModel(model)`) trains with it; a copy of
    one does not.
    """
    trained = optimized_names(scope)
    names = group(scope, name)
    if not trained or any(f"{one}.".startswith(f"{n}.") for one in trained for n in names):
        return False
    inner = frozenset(other for one in trained for other in group(scope, one))
    for _, targets, value in assignments(scope):
        if names.intersection(targets) and isinstance(value, ast.Call) and passes(value, inner):
            return bool(COPIES.match(callee(value)))
    return True


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
            if not known or NOT_MODELS.search(name):
                continue
            if Kind.FORWARD in kinds:
                yield Target(module, scope, name)
            elif method := _other_method(scope, names):
                doubt = Reason.of("engine.other-method", method=method)
                yield Target(module, scope, name, doubt)


def _other_method(scope: Scope, names: frozenset[str]) -> str | None:
    """A method of the model's own that is called for a value: `model.get_loss`."""
    for statement, _, _ in assignments(scope):
        for call in statement.calls:
            owner, _, method = (dotted(call.func) or "").rpartition(".")
            if owner in names and not _COMMON.fullmatch(method):
                return f"{owner}.{method}"
    return None


def _classes(module: Module) -> Iterator[Target]:
    """`self.model` received or built in one method, optimized and trained in others."""
    for owner in module.classes.values():
        methods = module.methods(owner)
        if any(trains(method) for method in methods):
            yield from _of_object(tuple((module, method) for method in methods), _builds)


def inherited(project: Project, module: Module) -> Iterator[Target]:
    """`self.model` of an object whose methods are of several classes, derived from each other."""
    for owner in module.classes.values() if "backward" in module.text else ():
        if not any(trains(method) for method in module.methods(owner)):
            continue
        own = ClassInModule(module, owner)
        for kin in (own, *heirs(project, own)):
            methods = members(project, kin)
            if any(method.owner is not kin.node for _, method in methods):
                yield from _of_object(methods, _makes)


def _of_object(
    methods: tuple[Method, ...], makes: Callable[[Scope, str], bool]
) -> Iterator[Target]:
    """The attributes that the methods train, each in the first method that makes it."""
    scopes = tuple(method for _, method in methods)
    optimized = {name for method in scopes for name in optimized_names(method)}
    for name in _attributes(scopes) if optimized else ():
        if NOT_MODELS.search(name) or not optimized & {name, name.removeprefix("self.")}:
            continue
        called = any(runs(method, name) for method in scopes)
        builder = next((one for one in methods if makes(one[1], name)), None)
        if called and builder:
            yield Target(*builder, name)


def _attributes(methods: tuple[Scope, ...]) -> list[str]:
    bound = (name for one in methods for _, names, _ in assignments(one) for name in names)
    return list(dict.fromkeys(name for name in bound if name.startswith("self.")))


def _builds(scope: Scope, name: str) -> bool:
    kinds = {site.kind for site in find(scope, group(scope, name))}
    return bool(kinds & {Kind.BUILD, Kind.PARAMETER}) and any(assignments(scope, name))


def _makes(scope: Scope, name: str) -> bool:
    return _builds(scope, name) or name in _wrapped_at_once(scope)


def seen_from(module: Module) -> Iterator[Target]:
    """Models of a scope that it (or the function in it) optimizes and the function trains.

    `def step(batch): loss = model(batch).mean()` names a model of the scope around it, and that is
    where it is built, optimized and hooked.
    """
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


_MADE = frozenset({Kind.BUILD, Kind.ALIAS, Kind.PARAMETER})


def stepped(project: Project, module: Module) -> Iterator[Target]:
    """The models of the classes whose step a trainer of this file differentiates.

    `loss = module.training_step(batch); loss.backward()` trains the models that `training_step`
    calls, in the class of whatever `module` is.
    """
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
