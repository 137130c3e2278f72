"""D-75: a condition asks a layer for its truth."""

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
    """`if self.layer:` where the attribute holds a layer."""
    for node in reached.nodes:
        test = node.test if isinstance(node, (ast.If, ast.IfExp)) else None
        if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
            test = test.operand
        if isinstance(test, ast.Attribute) and reached.kind(test).has(Flag.LAYER):
            yield node, f"if {ast.unparse(test)} asks a layer for its truth"


HAZARD = Hazard(
    "D-75",
    "layer-truth",
    verdicts("ok ok eager ok"),
    "Ask whether it is None.",
    "改为判断是否为 None。",
    find,
)
