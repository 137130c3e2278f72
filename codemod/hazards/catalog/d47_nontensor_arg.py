"""D-47: an int or a string that varies from step to step is handed to the model."""

from __future__ import annotations

from codemod.hazards.hazard import Hazard, verdicts

HAZARD = Hazard(
    "D-47",
    "nontensor-arg",
    verdicts("retrace retrace eager ok"),
    "Hand it over as a tensor.",
    "改为传入张量。",
    None,
)
