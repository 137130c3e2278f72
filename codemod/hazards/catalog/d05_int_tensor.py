"""D-05: `int(tensor)` or `bool(tensor)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`int()` and `bool()` of a tensor."""
    for call, name in reached.calls:
        if name in ("int", "bool") and call.args and reached.kind(call.args[0]).is_data:
            yield call, f"{name}() of a tensor"


HAZARD = Hazard(
    "D-05",
    "int-tensor",
    verdicts("ok ok break break"),
    "Slice with the tensor itself, or compute the number outside of forward.",
    "保留张量切片，或在 forward 之外计算整数。",
    find,
)
