"""D-74: a `with` block in the forward pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Any `with` but `no_grad` (D-40) and an `auto_cast` that is on (D-41)."""
    for node in reached.statements:
        if isinstance(node, ast.With):
            text = ", ".join(ast.unparse(item.context_expr) for item in node.items)
            off = "enable=False" in text or "(False" in text
            if "no_grad" not in text and (off or "auto_cast" not in text):
                yield node, f"with {text}"


HAZARD = Hazard(
    "D-74",
    "with-block",
    verdicts("ok ok eager eager"),
    "Put the block into a helper method: only the helper stays dynamic.",
    "把该块移到辅助方法：只有该方法保持动态。",
    find,
)
