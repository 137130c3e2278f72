"""D-01: a tensor is taken to NumPy in the middle of the graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import is_detached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Calls of `.numpy()`, unless the tensor was detached and moved to the CPU first (D-02)."""
    for call, base, _ in reached.methods("numpy"):
        if not is_detached(base) and not reached.kind(base).is_python:
            yield call, ".numpy() in the forward pass"


HAZARD = Hazard(
    "D-01",
    "numpy-roundtrip",
    verdicts("error error break break"),
    "Use Paddle's own operation instead of going through NumPy.",
    "改用等价的 paddle API。",
    find,
)
