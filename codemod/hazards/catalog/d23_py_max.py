"""D-23: `max` or `min` of Python on tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.values import Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`max(t1, t2)`, and `max([t1, t2])`."""
    for call, name in reached.calls:
        if name in ("max", "min") and call.args and not call.keywords:
            kinds = [reached.kind(value) for value in call.args]
            held = len(kinds) == 1 and kinds[0].is_data and not kinds[0].has(Flag.TENSOR)
            if held or (len(kinds) > 1 and any(kind.is_tensor for kind in kinds)):
                yield call, f"{name}() compares tensors"


HAZARD = Hazard(
    "D-23",
    "py-max",
    verdicts("ok error wrong break"),
    "Use paddle.maximum or paddle.minimum.",
    "改用 paddle.maximum / paddle.minimum。",
    find,
)
