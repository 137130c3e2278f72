"""Training by `paddle.Model`, under whatever name the file has it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from codemod.base.reason import Reason
from codemod.code.module import Module, callee, dotted
from codemod.engine.assignments import assignments
from codemod.engine.find.target import Target

FITS = frozenset({"fit", "train_batch"})
_MODELS = ("paddle.Model", "paddle.hapi.Model", "paddle.hapi.model.Model")
NO_SIGNATURE = Reason.of("engine.no-signature")


def high_level(module: Module) -> Iterator[Target]:
    """`model = paddle.Model(net); model.fit(...)`: the hook goes on `model.network`.

    `paddle.Model(net).fit(...)` has no such name: it goes on `net`.
    """
    for scope in module.scopes:
        fitted = {dotted(c.func.value) for c in scope.calls if _fits(c)}  # type: ignore[attr-defined]
        for _, names, value in assignments(scope):
            made_here = isinstance(value, ast.Call) and _makes_model(module, value)
            if names[0] in fitted and made_here and isinstance(value, ast.Call):
                doubt = None if _has_inputs(value) else NO_SIGNATURE
                yield Target(module, scope, f"{names[0]}.network", doubt)
        for call in filter(_fits, scope.calls):
            made = call.func.value  # type: ignore[attr-defined]
            if isinstance(made, ast.Call) and _makes_model(module, made) and made.args:
                doubt = None if _has_inputs(made) else NO_SIGNATURE
                yield Target(module, scope, dotted(made.args[0]) or "the network", doubt)


def trains_by_model(module: Module, call: ast.Call) -> bool:
    """Whether a call may be the `fit` of a `paddle.Model`, which the file makes."""
    if not _fits(call):
        return False
    return any(_makes_model(module, made) for scope in module.scopes for made in scope.calls)


def _fits(call: ast.Call) -> bool:
    return callee(call) in FITS and isinstance(call.func, ast.Attribute)


def _has_inputs(call: ast.Call) -> bool:
    return len(call.args) > 1 or any(k.arg == "inputs" for k in call.keywords)


def _makes_model(module: Module, call: ast.Call) -> bool:
    head, _, rest = (dotted(call.func) or "").partition(".")
    name = f"{module.imports.get(head, head)}.{rest}".rstrip(".")
    return name in _MODELS
