"""D-33: a part is switched to train or eval after the first step."""

from __future__ import annotations

from codemod.hazards.hazard import Hazard, verdicts

HAZARD = Hazard(
    "D-33",
    "sublayer-mode",
    verdicts("wrong wrong ok ok"),
    "Switch the part's mode before the first step, or use use_global_stats.",
    "在第一步之前切换，或使用 use_global_stats。",
    None,
)
