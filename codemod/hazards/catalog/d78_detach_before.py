"""D-78: an operation on a detached tensor that an earlier graph has made."""

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
    """`t.detach() * s` where `t` was handed in, or where the graph breaks after `t` was made."""
    for node, call in overwritten(reached):
        if origin(reached, call) is Origin.BEFORE:
            yield node, f"{ast.unparse(call)} goes into an operation, and an earlier graph made it"


HAZARD = Hazard(
    "D-78",
    "detach-before",
    verdicts("ok ok wrong wrong"),
    "Write t.clone().detach(), or train with FLAGS_pir_apply_inplace_pass=0.",
    "改用 t.clone().detach()，或设置 FLAGS_pir_apply_inplace_pass=0。",
    find,
)
