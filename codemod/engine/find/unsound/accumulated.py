"""Gradients that add up over two programs of one model, before its optimizer's step.

A critic that is called with `fake` and then with `fake.detach()` has two programs, for the first
input needs a gradient and the second does not. Tracing the second one clears what the first
backward gave: the step in which that happens trains on half of the gradient, in AST on Paddle
2.6.2 and 3.3.1 (docs/paddle-issues/trace_drops_gradient.py).
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from codemod.code.module import Module, Scope, callee, dotted, handed
from codemod.code.sites import OPTIMIZERS, group, optimized_names
from codemod.code.traversal import walk
from codemod.engine.assignments import assignments

_CLEARS = frozenset({"clear_grad", "clear_gradients", "zero_grad"})
_NEEDS, _FREE, _BACKWARD, _CLEARED, _STEP = "needs", "free", "backward", "cleared", "step"


def accumulated(
    homes: Iterable[Module], scope: Scope, names: frozenset[str]
) -> tuple[int, int] | None:
    """The lines of two calls of the model whose gradients add up, one with a gradient to its input.

    `names` are the model's in `scope`, which differentiates the loss; in one of `homes` its
    optimizer is made.
    """
    events = sorted(_events(tuple(homes), scope, names))
    kinds = [kind for _, _, kind in events]
    if not {_NEEDS, _FREE} <= set(kinds) or kinds.count(_BACKWARD) < 2:
        return None
    start = max((i + 1 for i, kind in enumerate(kinds) if kind == _CLEARED), default=0)
    seen: dict[str, int] = {}
    passed = False
    for line, _, kind in (*events[start:], *events[:start]):
        if kind in (_CLEARED, _STEP):
            seen, passed = {}, False
        elif kind == _BACKWARD:
            passed = passed or bool(seen)
        elif passed and kind not in seen:
            return next(iter(seen.values())), line
        else:
            seen.setdefault(kind, line)
    return None


def _events(
    homes: tuple[Module, ...], scope: Scope, names: frozenset[str]
) -> Iterator[tuple[int, int, str]]:
    """Calls of the model, backward passes, and what its own optimizer does, each with its place."""
    others = frozenset(alias for name in _optimized(homes) for alias in group(scope, name))
    optimizers = frozenset(_optimizers(homes, names))
    for call in scope.calls:
        place = call.lineno, call.col_offset
        owner, _, method = (dotted(call.func) or "").rpartition(".")
        if dotted(call.func) in names:
            needs = any(_needs(scope, value, call.lineno, others - names) for value in handed(call))
            yield (*place, _NEEDS if needs else _FREE)
        elif callee(call) == "backward":
            yield (*place, _BACKWARD)
        elif method in _CLEARS and (owner in names or owner.rpartition(".")[2] in optimizers):
            yield (*place, _CLEARED)
        elif method == "step" and owner.rpartition(".")[2] in optimizers:
            yield (*place, _STEP)


def _optimized(homes: tuple[Module, ...]) -> frozenset[str]:
    scopes = (scope for home in homes for scope in home.scopes)
    return frozenset(name for scope in scopes for name in optimized_names(scope))


def _optimizers(homes: tuple[Module, ...], names: frozenset[str]) -> Iterator[str]:
    """What the optimizers of the model are called, without the objects that hold them."""
    mine = {name.rpartition(".")[2] for name in names}
    for scope in (scope for home in homes for scope in home.scopes):
        for _, targets, value in assignments(scope):
            if not isinstance(value, ast.Call) or not OPTIMIZERS.search(callee(value)):
                continue
            owners = {
                (dotted(node.func.value) or "").rpartition(".")[2]
                for node in walk(value)
                if isinstance(node, ast.Call)
                and isinstance(node.func, ast.Attribute)
                and node.func.attr == "parameters"
            }
            if owners & mine:
                yield from (target.rpartition(".")[2] for target in targets)


def _needs(scope: Scope, value: ast.expr, line: int, others: frozenset[str]) -> bool:
    """Whether an input comes out of another model that trains, and is not detached."""
    nodes = list(walk(value))
    if any(isinstance(node, ast.Attribute) and node.attr == "detach" for node in nodes):
        return False
    if any(isinstance(node, ast.Call) and dotted(node.func) in others for node in nodes):
        return True
    name = dotted(value)
    given = assignments(scope, name) if name else ()
    made = [one for statement, _, one in given if statement.node.lineno < line]
    return bool(made) and made[-1] is not value and _needs(scope, made[-1], line - 1, others)
