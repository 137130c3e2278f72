"""D-50: `super().forward(x)` without arguments of super."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Zero-argument `super()` in a reached function."""
    for call, name in reached.calls:
        if name == "super" and not call.args and reached.function.node.name != "__init__":
            yield call, "super() without arguments"


HAZARD = Hazard(
    "D-50",
    "super-forward",
    verdicts("error ok break ok"),
    "Write super(Class, self).forward(x).",
    "改为 super(Cls, self).forward(x)。",
    find,
)
