"""D-69: `stop_gradient` is set on an intermediate tensor."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.model import Hazard, verdicts
from codemod.hazards.patterns import assigned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.model import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`t.stop_gradient = True` of a local tensor."""
    for node, target in assigned(reached):
        stops = isinstance(target, ast.Attribute) and target.attr == "stop_gradient"
        local = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name)
        if stops and local and ast.unparse(node.value) == "True":
            yield node, f"{ast.unparse(target)} = True"


HAZARD = Hazard(
    "D-69",
    "stop-gradient-write",
    verdicts("ok ok wrong ok"),
    ".detach().",
    "改用 .detach()。",
    find,
)
