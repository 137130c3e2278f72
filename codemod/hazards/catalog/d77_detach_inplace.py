"""D-77: an operation on a detached tensor: the in-place pass of 2.6 writes it into the tensor."""

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
    """`t.detach() * s` where the graph makes `t` itself: Paddle 3 sees that `t` is in use."""
    for node, call in overwritten(reached):
        if origin(reached, call) is Origin.MADE:
            yield node, f"{ast.unparse(call)} goes into an operation"


HAZARD = Hazard(
    "D-77",
    "detach-inplace",
    verdicts("ok ok wrong ok"),
    "Write t.clone().detach(), or train with FLAGS_pir_apply_inplace_pass=0.",
    "改用 t.clone().detach()，或设置 FLAGS_pir_apply_inplace_pass=0。",
    find,
)
