"""D-34: backward through a net in eval mode."""

from __future__ import annotations

from codemod.hazards.hazard import Hazard, verdicts

HAZARD = Hazard(
    "D-34",
    "eval-backward",
    verdicts("wrong wrong wrong wrong"),
    "Keep train() and freeze with stop_gradient.",
    "保持 train()，用 stop_gradient 冻结。",
    None,
)
