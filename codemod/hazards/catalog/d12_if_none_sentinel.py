"""D-12: a name is None until a tensor `if` gives it a tensor."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import bound_before, stored, tensor_ifs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """A name set to None above a tensor `if` that binds it."""
    for node in tensor_ifs(reached):
        for name in stored(node.body):
            values = bound_before(reached, name, node)
            last = values[-1] if values else None
            if isinstance(last, ast.Constant) and last.value is None:
                yield node, f"{name} is None or a tensor"


HAZARD = Hazard(
    "D-12",
    "if-none-sentinel",
    verdicts("wrong error ok ok"),
    "Start from zeros instead of None.",
    "用全零张量代替 None 作初值。",
    find,
)
