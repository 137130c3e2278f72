"""D-41: `auto_cast` in the forward pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`with paddle.amp.auto_cast(...)` that is not switched off."""
    for node in reached.statements:
        for item in node.items if isinstance(node, ast.With) else ():
            text = ast.unparse(item.context_expr)
            if "auto_cast" in text and "enable=False" not in text and "(False" not in text:
                yield node, f"with {text}: on the CPU, AST on 3.x crashes here"


HAZARD = Hazard(
    "D-41",
    "autocast-in-forward",
    verdicts("ok error eager eager"),
    "Put auto_cast around the call of the model.",
    "把 auto_cast 放在模型调用之外。",
    find,
)
