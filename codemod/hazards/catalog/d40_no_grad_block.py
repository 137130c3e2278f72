"""D-40: `with paddle.no_grad()` in the forward pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`with paddle.no_grad():` in a reached function."""
    for node in reached.statements:
        for item in node.items if isinstance(node, ast.With) else ():
            if "no_grad" in ast.unparse(item.context_expr):
                yield node, f"with {ast.unparse(item.context_expr)}"


HAZARD = Hazard(
    "D-40",
    "no-grad-block",
    verdicts("wrong ok eager eager"),
    "Use .detach() instead of no_grad, or move the block into a helper method.",
    "改用 .detach()，或移到辅助方法。",
    find,
)
