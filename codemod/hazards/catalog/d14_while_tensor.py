"""D-14: a `while` loop on a tensor."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import is_tensor_test

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`while` with a tensor in its condition."""
    for node in reached.statements:
        if isinstance(node, ast.While) and is_tensor_test(reached, node.test):
            yield node, "a while loop on a tensor"


HAZARD = Hazard(
    "D-14",
    "while-tensor",
    verdicts("ok error ok ok"),
    "Loop a fixed number of times and mask with paddle.where.",
    "改为定长循环加掩码（paddle.where）。",
    find,
)
