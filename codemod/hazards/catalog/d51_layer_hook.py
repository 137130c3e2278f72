"""D-51: a sub-layer has a forward hook."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import own_constructor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`register_forward_pre_hook` and `register_forward_post_hook` in the constructor."""
    made = own_constructor(reached)
    for node in ast.walk(made) if made is not None else ():
        name = node.func.attr if is_method(node) else ""  # type: ignore[attr-defined]
        if name.startswith("register_forward_"):
            yield node, f"{name}()"


def is_method(node: ast.AST) -> bool:
    """A call of a method."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)


HAZARD = Hazard(
    "D-51",
    "layer-hook",
    verdicts("ok ok break break"),
    "Call the function in forward.",
    "在 forward 中直接调用。",
    find,
)
