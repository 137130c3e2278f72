"""D-38: a branch asks whether Paddle is in dynamic mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from codemod.hazards.hazard import Hazard, verdicts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.hazards.hazard import Finding
    from codemod.hazards.reached import Reached


def find(reached: Reached) -> Iterator[Finding]:
    """`paddle.in_dynamic_mode()` and its older names."""
    for call, name in reached.calls:
        if name.rpartition(".")[2] in NAMES:
            yield call, f"{name}() chooses the code that runs"


NAMES = frozenset(
    ("in_dynamic_mode", "in_dygraph_mode", "_non_static_mode", "in_dynamic_or_pir_mode")
)


HAZARD = Hazard(
    "D-38",
    "dynamic-mode-branch",
    verdicts("wrong wrong ok ok"),
    "Branch on self.training instead.",
    "改为按 self.training 分支。",
    find,
)
