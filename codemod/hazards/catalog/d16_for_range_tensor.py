"""D-16: `for i in range(tensor)`."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import ranges_over_tensor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """A loop over a range with a tensor as its bound."""
    for node in reached.statements:
        if isinstance(node, ast.For) and ranges_over_tensor(reached, node):
            yield node, "a range with a tensor as its bound"


HAZARD = Hazard(
    "D-16",
    "for-range-tensor",
    verdicts("ok error break eager"),
    "Hand over a Python int, or loop a fixed number of times with a mask.",
    "传入 Python int，或定长循环加掩码。",
    find,
)
