"""D-79: an operation on a detached input or weight: the in-place pass overwrites it in any mode."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.detached import Origin, origin, overwritten
from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`self.weight.detach() * s`, `x.detach() * s` of an argument of the hooked net."""
    for node, call in overwritten(reached):
        if origin(reached, call) is Origin.INPUT:
            yield node, f"{ast.unparse(call)} goes into an operation, and is an input of the graph"


HAZARD = Hazard(
    "D-79",
    "detach-input",
    verdicts("ok wrong wrong wrong"),
    "Write t.clone().detach(), or train with FLAGS_pir_apply_inplace_pass=0.",
    "改用 t.clone().detach()，或设置 FLAGS_pir_apply_inplace_pass=0。",
    find,
)
