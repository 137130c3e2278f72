"""D-54: a PyLayer is applied."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import pylayers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`X.apply(...)` of a PyLayer of the kit."""
    for call, owner in pylayers(reached):
        yield call, f"{owner.name} is a PyLayer"


HAZARD = Hazard(
    "D-54",
    "pylayer",
    verdicts("ok ok break break"),
    "Nothing is needed; paddle.jit.ignore_module keeps it out of the graph.",
    "无需修改；可用 paddle.jit.ignore_module 排除。",
    find,
)
