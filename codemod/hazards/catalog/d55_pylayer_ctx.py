"""D-55: a PyLayer keeps values as attributes of its context."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import pylayers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`ctx.name = ...` in the forward of a PyLayer that is applied."""
    for call, owner in pylayers(reached):
        body = owner.methods.get("forward")
        first = body.args.args[0].arg if body is not None and body.args.args else None
        if body is not None and first is not None and keeps(body, first):
            yield call, f"{owner.name} keeps values on its context"


def keeps(body: ast.AST, context: str) -> bool:
    """Whether a function stores an attribute on its context."""
    return any(
        isinstance(node, ast.Attribute)
        and isinstance(node.ctx, ast.Store)
        and isinstance(node.value, ast.Name)
        and node.value.id == context
        for node in ast.walk(body)
    )


HAZARD = Hazard(
    "D-55",
    "pylayer-ctx",
    verdicts("ok error break break"),
    "Use ctx.save_for_backward instead of attributes of ctx.",
    "改用 ctx.save_for_backward(...)。",
    find,
)
