"""D-28: a global is written in the forward pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`global` in a reached function."""
    for node in reached.statements:
        if isinstance(node, ast.Global):
            yield node, f"writes the global {', '.join(node.names)}"


HAZARD = Hazard(
    "D-28",
    "global-state",
    verdicts("wrong wrong ok ok"),
    "Hand it over as an argument, or keep it in a buffer.",
    "改为参数传入，或存为 buffer。",
    find,
)
