"""D-18: a list grows in a loop that a tensor bounds."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import appends_data, tensor_loops

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`.append` in a tensor-bounded loop."""
    for loop in tensor_loops(reached):
        for node in ast.walk(loop):
            if isinstance(node, ast.Call) and appends_data(reached, node):
                yield node, "a list grows in a loop that a tensor bounds"


HAZARD = Hazard(
    "D-18",
    "list-append",
    verdicts("ok wrong break eager"),
    "Loop over a Python int, or fill a tensor made before the loop.",
    "用 Python int 循环，或预先分配。",
    find,
)
