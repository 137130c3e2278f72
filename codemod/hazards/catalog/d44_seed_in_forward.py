"""D-44: the seed is set in forward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`paddle.seed(...)`."""
    for call, name in reached.calls:
        if name in ("paddle.seed", "paddle.framework.random.seed"):
            yield call, "the seed is set in the forward pass"


HAZARD = Hazard(
    "D-44",
    "seed-in-forward",
    verdicts("wrong wrong wrong wrong"),
    "Move the seed out of forward.",
    "移到 forward 之外。",
    find,
)
