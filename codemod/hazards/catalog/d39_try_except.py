"""D-39: `try` in the forward pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`try` statements."""
    for node in reached.statements:
        if isinstance(node, ast.Try):
            yield node, "try in the forward pass"


HAZARD = Hazard(
    "D-39",
    "try-except",
    verdicts("ok ok eager ok"),
    "Move the try into a helper method; on Python 3.11 and later the whole function stays dynamic.",
    "移到辅助方法；Python ≥ 3.11 时整个函数保持动态。",
    find,
)
