"""D-08: a tensor is logged."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import shows_tensor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Calls of a logger or of `warnings.warn` with a tensor."""
    for call, name in reached.calls:
        owner, _, last = name.rpartition(".")
        logs = last in LEVELS and ("log" in owner.lower() or owner == "warnings")
        if logs and any(shows_tensor(reached, value) for value in call.args):
            yield call, f"a tensor is given to {name}()"


LEVELS = frozenset(("debug", "info", "warning", "warn", "error", "critical", "log"))


HAZARD = Hazard(
    "D-08",
    "logging-tensor",
    verdicts("ok ok error break"),
    "Move the logging out of forward.",
    "移到 forward 之外。",
    find,
)
