"""Whether float32 static training is further from float64 than float32 dynamic training is.

The run in float64 computed the gradients at the weights that the run in float32 had at a few
updates. How far dynamic training and its control sides are from them is what float32 can do there.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from codemod.judging import thresholds
from codemod.judging.comparing.classify import Divergence, divergence
from codemod.judging.comparing.lockstep import DYNAMIC, STATIC
from codemod.judging.verdict import Verdict
from codemod.training.record import Record


@dataclass(frozen=True, slots=True)
class Closeness:
    """Over `updates` at which it was asked, `factor` is how many times further static ever is.

    `finding` is the first parameter that is further than the factor stated in advance.
    """

    updates: int
    factor: float
    finding: Divergence | None = None


def truth(record: Record | None) -> Closeness | None:
    """What a run in float64 says of the one in float32; None where it was asked nothing."""
    lines = [line for line in (record.truths if record else ()) if _speaks(line)]
    if not lines:
        return None
    ratios = [(line, *one) for line in lines for one in _ratios(line)]
    over = [one for one in ratios if one[2] > thresholds.TRUTH_FACTOR]
    found = None
    if over:
        line, name, _, far = over[0]
        place, others = (int(line["pair"]), int(line["opt"])), len(over) - 1
        found = divergence(Verdict.GRADIENT_DIFFERS, place, name, "isolated", far, others)
    return Closeness(len(lines), max((ratio for _, _, ratio, _ in ratios), default=0.0), found)


def _speaks(line: dict[str, Any]) -> bool:
    """Whether the line is of the same batch and draws: its loss is that of float32."""
    if "grads" not in line or not line["drawn"] or STATIC not in line["sides"]:
        return False
    true, dynamic = line["losses"][0], line["losses"][1 + line["sides"].index(DYNAMIC)]
    return len(true) == len(dynamic) and all(
        not isinstance(one, list) and abs(one - two) <= thresholds.SAME_LOSS * abs(one)
        for one, two in zip(true, dynamic, strict=True)
    )


def _ratios(line: dict[str, Any]) -> Iterator[tuple[str, float, float]]:
    """Name, how many times further than dynamic training, and how far by its own norm."""
    places = {side: 1 + place for place, side in enumerate(line["sides"])}
    scale = math.sqrt(sum(told[0] ** 2 for told in line["grads"].values()))
    for name, told in line["grads"].items():
        static = told[places[STATIC]]
        others = [told[place] for side, place in places.items() if side != STATIC]
        known = [far for far in others if far is not None]
        if static is None or not known:
            continue
        least = thresholds.ZERO_EPSILONS * 2.0**-23 * (told[0] + scale)
        yield name, _times(static, max(*known, least)), _times(static, told[0])


def _times(far: float, known: float) -> float:
    """How many times as far; where all gradients are zero there is nothing to measure by."""
    return far / known if known else math.inf if far else 0.0
