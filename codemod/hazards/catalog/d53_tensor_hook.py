"""D-53: a gradient hook on a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`tensor.register_hook(...)`."""
    for call, _, _ in reached.methods("register_hook"):
        yield call, "a gradient hook on a tensor"


HAZARD = Hazard(
    "D-53",
    "tensor-hook",
    verdicts("ok error eager eager"),
    "Write a PyLayer instead of register_hook.",
    "改用 PyLayer。",
    find,
)
