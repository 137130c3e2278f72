"""D-02: a detached copy is taken to NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.patterns import is_detached

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`t.detach().numpy()`, `t.cpu().numpy()` and their chains."""
    for call, base, _ in reached.methods("numpy"):
        if is_detached(base):
            yield call, ".numpy() of a detached tensor in the forward pass"


HAZARD = Hazard(
    "D-02",
    "detach-cpu-numpy",
    verdicts("wrong wrong break break"),
    "Use .detach() and paddle functions.",
    "改用 .detach() 与 paddle API。",
    find,
)
