"""D-66: a tensor is copied with `copy`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`copy.copy` and `copy.deepcopy` of a tensor."""
    for call, name in reached.calls:
        copies = name in ("copy.copy", "copy.deepcopy") and call.args
        if copies and reached.kind(call.args[0]).is_tensor:
            yield call, f"{name}() of a tensor"


HAZARD = Hazard(
    "D-66",
    "copy-tensor",
    verdicts("error error error break"),
    "Use t.clone().",
    "改用 .clone()。",
    find,
)
