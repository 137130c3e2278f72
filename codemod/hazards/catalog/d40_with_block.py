"""D-40: a `with` block in the forward pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.model import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.model import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`with` in a reached function, `auto_cast` left to D-41."""
    for node in reached.statements:
        if isinstance(node, ast.With):
            text = ", ".join(ast.unparse(item.context_expr) for item in node.items)
            if "auto_cast" not in text or "enable=False" in text or "(False" in text:
                yield node, f"with {text}"


HAZARD = Hazard(
    "D-40",
    "with-block",
    verdicts("wrong ok eager eager"),
    "Use .detach() for no_grad; put any other block into a helper method.",
    "no_grad 用 .detach() 代替；其他块移到辅助方法。",
    find,
)
