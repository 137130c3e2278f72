"""D-56: part of the model is recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Calls of Paddle's `recompute`."""
    for call, name in reached.calls:
        if name.startswith("paddle.") and name.rpartition(".")[2].startswith("recompute"):
            yield call, "recompute in the forward pass"


HAZARD = Hazard(
    "D-56",
    "recompute",
    verdicts("error ok eager eager"),
    "Switch recompute off under to_static.",
    "在 to_static 下关闭 recompute。",
    find,
)
