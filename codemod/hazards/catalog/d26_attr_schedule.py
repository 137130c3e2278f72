"""D-26: an attribute of a layer is changed from outside between steps."""

from __future__ import annotations

from codemod.hazards.hazard import Hazard, verdicts

HAZARD = Hazard(
    "D-26",
    "attr-schedule",
    verdicts("wrong wrong ok ok"),
    "Hand it over as a tensor, or keep it in a buffer and call its set_value from outside.",
    "作为张量参数传入，或在外部对 buffer 调用 .set_value()。",
    None,
)
