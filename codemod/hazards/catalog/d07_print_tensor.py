"""D-07: a tensor is printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import shows_tensor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`print(tensor)`."""
    for call, name in reached.calls:
        if name == "print" and any(shows_tensor(reached, value) for value in call.args):
            yield call, "a tensor is printed"


HAZARD = Hazard(
    "D-07",
    "print-tensor",
    verdicts("ok ok wrong break"),
    "Delete the print, or print only if not self.training.",
    "删除，或仅在非训练时打印。",
    find,
)
