"""Where the processor time goes that a static step takes more than a dynamic one, on a CPU.

Paddle's static executor gives each tensor's memory back in a thread of its own as soon as no
operator needs it (`FLAGS_eager_delete_tensor_gb`): waking that thread costs time on both sides of
it, and memory that goes back to the system has to be fetched again, page by page.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from codemod.base.reason import Reason
from codemod.judging.speed.speed import PARTS, Ratio
from codemod.judging.speed.timings import TimedTurn, Timings, steady_pairs
from codemod.judging.thresholds import LEAST_FAULTS, LEFT_SHARE, LOST_SHARE

# With these no tensor is given back before the program ends, and no memory goes to the system.
KEPT_MEMORY = {
    "FLAGS_eager_delete_tensor_gb": "-1",
    "MALLOC_MMAP_MAX_": "0",
    "MALLOC_TRIM_THRESHOLD_": str(2**31 - 1),
}
_EXCLUDED = ("programs", "breaks", "dense")


@dataclass(frozen=True, slots=True)
class Overhead:
    """What a static step takes more than a dynamic one in a part, the mean of steady pairs.

    Milliseconds of processor time: in all, in other threads than the training one, by the system in
    that one. `faults` are minor page faults.
    """

    whole: float
    others: float
    system: float
    faults: float


def lost_by_part(timed: Sequence[Timings]) -> dict[str, Overhead]:
    """What each part of a step takes more; nothing where the timer did not count it."""
    pairs = [two for one in timed for two in steady_pairs(one)]
    if not pairs or not all(turn.thread for two in pairs for turn in two):
        return {}
    return {part: _lost(pairs, part) for part in PARTS}


def _lost(pairs: list[tuple[TimedTurn, TimedTurn]], part: str) -> Overhead:
    def more(of: str) -> float:
        each = (getattr(b, of)[part] - getattr(a, of)[part] for a, b in pairs)
        return statistics.fmean(each)

    whole = 1000 * more("processor")
    others = whole - 1000 * more("thread")
    figures = (whole, others, 1000 * more("system"), more("faults"))
    return Overhead(*(round(figure, 4) for figure in figures))


def why_lost(
    lost: dict[str, Overhead], ratio: Ratio, kept: Ratio | None, named: Sequence[Reason]
) -> Iterator[Reason]:
    """What was measured of a loss; what is left of it, where no cause is `named` for that.

    `ratio` is that of the steps, `kept` the one with `KEPT_MEMORY`.
    """
    whole, others, system, faults = (
        sum(getattr(part, name) for part in lost.values())
        for name in ("whole", "others", "system", "faults")
    )
    found = 0.0
    if whole > 0 and others >= LOST_SHARE * whole:
        found += others
        yield Reason.of("judging.speed-others", ms=f"{others:.2g}", lost=f"{whole:.2g}")
    if whole > 0 and system >= LOST_SHARE * whole:
        found += system
        if faults >= LEAST_FAULTS:
            yield Reason.of("judging.speed-faults", count=round(faults), ms=f"{system:.2g}")
        else:
            yield Reason.of("judging.speed-woken", ms=f"{system:.2g}")
    left = 1 - found / whole if whole > 0 else 1.0
    if kept:
        times, low, high = (f"{one:.2f}" for one in (kept.value, kept.low, kept.high))
        yield Reason.of("judging.speed-kept-memory", times=times, low=low, high=high)
        # Two processes may say less of it than the clock of all has counted.
        left = min(left, math.log(kept.value) / math.log(ratio.value))
    if left < LEFT_SHARE or named:
        return
    looked_at = (*_EXCLUDED, *(("memory",) if kept else ()))
    excluded = tuple(Reason.of(f"judging.speed-no-{name}") for name in looked_at)
    yield Reason.of(
        "judging.speed-not-found", percent=f"{100 * min(1.0, left):.0f}", excluded=excluded
    )
