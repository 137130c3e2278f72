"""D-06: `.tolist()` of a tensor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Calls of `.tolist()` on what is no array."""
    for call, base, _ in reached.methods("tolist"):
        if reached.kind(base).is_data:
            yield call, ".tolist() of a tensor"


HAZARD = Hazard(
    "D-06",
    "tolist",
    verdicts("error error error break"),
    "Use a tensor operation (max, where, gather) instead of tolist().",
    "改用张量运算（max、where、gather 等）。",
    find,
)
