"""D-32: weights are loaded in forward."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`set_state_dict` and its other names."""
    for call, _, name in reached.methods("set_state_dict", "set_dict", "load_dict"):
        yield call, f"{name}() in the forward pass"


HAZARD = Hazard(
    "D-32",
    "set-state-dict",
    verdicts("error error break break"),
    "Load weights outside of forward.",
    "移到 forward 之外加载。",
    find,
)
