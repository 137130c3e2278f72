"""D-67: `paddle.grad` in the forward pass."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """Calls of `paddle.grad`."""
    for call, name in reached.calls:
        if name in ("paddle.grad", "paddle.autograd.grad"):
            yield call, "paddle.grad in the forward pass"


HAZARD = Hazard(
    "D-67",
    "paddle-grad",
    verdicts("ok ok error ok"),
    "Use Paddle 3.",
    "使用 Paddle 3.x。",
    find,
)
