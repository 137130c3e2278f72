"""D-64: the model returns a Python number that it computed."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.values import Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """A number read or computed in forward among what a hooked layer returns."""
    if not (reached.unit.is_net and reached.is_forward):
        return
    for node in reached.statements:
        value = node.value if isinstance(node, ast.Return) else None
        parts = value.values if isinstance(value, ast.Dict) else getattr(value, "elts", [])
        for part in parts:
            kind = reached.kind(part)
            if (
                kind.is_python
                and kind.has(Flag.READ)
                and any(reached.kind(other).is_data for other in parts)
            ):
                yield node, f"{ast.unparse(part)} is a number read out of a tensor"


HAZARD = Hazard(
    "D-64",
    "return-scalar",
    verdicts("wrong wrong ok ok"),
    "Return tensors only.",
    "只返回张量。",
    find,
)
