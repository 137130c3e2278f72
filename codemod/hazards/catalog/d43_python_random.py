"""D-43: Python's or NumPy's random numbers in forward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Calls into `random` and `numpy.random`."""
    for call, name in reached.calls:
        if name.startswith(("random.", "numpy.random.")) and not name.endswith("seed"):
            yield call, f"{name}() in the forward pass"


HAZARD = Hazard(
    "D-43",
    "python-random",
    verdicts("wrong wrong error break"),
    "Draw with paddle.rand, paddle.randint or paddle.bernoulli, or outside of the hooked layer.",
    "改用 paddle.rand、paddle.randint 或 paddle.bernoulli。",
    find,
)
