"""D-42: a generator in the forward pass."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`yield` in a reached function."""
    for node in reached.nodes:
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            yield node, "a generator in the forward pass"


HAZARD = Hazard(
    "D-42",
    "generator",
    verdicts("ok ok eager ok"),
    "Write a list comprehension.",
    "改为列表推导式。",
    find,
)
