"""D-65: a function calls itself on a tensor's condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import tensor_ifs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """A direct recursion with a tensor `if`."""
    if reached.unit in reached.unit.edges and any(True for _ in tensor_ifs(reached)):
        yield reached.function.node, f"{reached.function.node.name} calls itself"


HAZARD = Hazard(
    "D-65",
    "recursion",
    verdicts("error error break break"),
    "Write a loop.",
    "改为循环。",
    find,
)
