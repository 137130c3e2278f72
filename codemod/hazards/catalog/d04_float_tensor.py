"""D-04: `float(tensor)` is used in the computation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`float()` of a tensor."""
    for call, name in reached.calls:
        if name == "float" and call.args and reached.kind(call.args[0]).is_data:
            yield call, "float() of a tensor"


HAZARD = Hazard(
    "D-04",
    "float-tensor",
    verdicts("wrong wrong error break"),
    "Use t.detach() instead of float(t).",
    "用 .detach() 保留张量，不转成 float。",
    find,
)
