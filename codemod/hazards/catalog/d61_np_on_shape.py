"""D-61: NumPy is called with a tensor's shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts
from codemod.hazards.values import Flag

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`np.prod(x.shape)` and the like."""
    for call, name in reached.calls:
        shapes = (reached.kind(value) for value in call.args)
        if name.startswith("numpy.") and any(k.has(Flag.SHAPE) and k.is_python for k in shapes):
            yield call, f"{name}() of a shape"


HAZARD = Hazard(
    "D-61",
    "np-on-shape",
    verdicts("ok ok eager break"),
    "Use math.prod or plain Python arithmetic on shapes.",
    "改用 math.prod 或普通 Python 运算。",
    find,
)
