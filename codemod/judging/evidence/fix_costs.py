"""What fixes cost dynamic training, as `python -m bench.fix_cost` measured it: fix_costs.yaml."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import yaml

from codemod.base.files.data_folder import data_path

FILE = "evidence/fix_costs.yaml"


@dataclass(frozen=True, slots=True)
class FixCost:
    """Of one config with all fixes that are offered for it, its dynamic training before and after.

    `ground` is that of the proof of these fixes. `ratio` is the time of a step after over before,
    as the mean over the `pairs` of trainings, `least` and `most` that of a single pair; `memory` is
    the ratio of the peaks. `step_ms` is the step before, in milliseconds.
    """

    kit: str
    config: str
    paddle: str
    ground: str
    pairs: int
    step_ms: int
    ratio: float
    least: float
    most: float
    memory: float

    @property
    def place(self) -> tuple[str, str, str]:
        """The config, the Paddle and the ground: the place of the proof of the same fixes."""
        return (self.config, self.paddle, self.ground)

    @property
    def time_is_clear(self) -> bool:
        """Whether every pair says that a step takes longer, or every pair that it does not.

        Other work on the machine moves the time of a single pair by more than fixes cost.
        """
        return self.least > 1 or self.most < 1


def fix_costs(kit: str) -> dict[tuple[str, str, str], FixCost]:
    """What was measured of a kit's fixes, by the place of their proof."""
    listed: list[dict[str, Any]] = yaml.safe_load(data_path(FILE).read_text("utf-8"))
    costs = [FixCost(**{**entry, "paddle": str(entry["paddle"])}) for entry in listed]
    return {cost.place: cost for cost in costs if cost.kit == kit}
