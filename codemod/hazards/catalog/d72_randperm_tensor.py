"""D-72: `paddle.randperm` of a number that a tensor holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`paddle.randperm(paddle.shape(x)[0])`."""
    for call, name in reached.calls:
        if name == "paddle.randperm" and call.args and reached.kind(call.args[0]).is_data:
            yield call, "randperm of a number that a tensor holds"


HAZARD = Hazard(
    "D-72",
    "randperm-tensor",
    verdicts("error error error ok"),
    "Hand over a Python int: paddle.randperm(x.shape[0]).",
    "改用 Python int：paddle.randperm(x.shape[0])。",
    find,
)
