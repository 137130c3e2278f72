"""Whether static training is faster: pairs of steps from several fresh processes, to a verdict.

Pairs take the machine's load out, for both sides of a pair meet the same. Processes differ from
each other by more than their pairs say (layout of memory, order of building), so processes are the
sample: the interval is a bootstrap over processes, and within one over blocks of pairs, because
neighbouring steps are alike.
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from codemod.judging.thresholds import SPEED_BLOCK, SPEED_DRAWS, SPEED_PROCESSES, SPEED_WIDTH

# The parts of a step, in seconds; `step` is the optimizer's.
PARTS = ("forward", "backward", "step")


class SpeedVerdict(Enum):
    """What the interval of the ratio allows to say."""

    FASTER = "faster"
    SAME = "same"
    SLOWER = "slower"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Pair:
    """One batch trained dynamic and static, from the same weights: seconds by part of `PARTS`."""

    dynamic: tuple[float, float, float]
    static: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Process:
    """The steady pairs of one process; `compile_s` are the seconds that its first steps took more.

    `programs` counts those that were made after the first steps: each is a stop of training.
    """

    pairs: tuple[Pair, ...]
    compile_s: float = 0.0
    programs: int = 0
    memory: tuple[int, int] = (0, 0)


@dataclass(frozen=True, slots=True)
class Ratio:
    """Dynamic seconds over static ones, above 1 where static is faster; 95 % lie in low..high."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Speed:
    """The verdict with what it rests on. `pays_off` counts steps until compiling has paid off."""

    verdict: SpeedVerdict
    ratio: Ratio
    parts: dict[str, Ratio]
    processes: int
    pairs: int
    compile_s: float
    pays_off: int | None
    programs: int


def judge_speed(processes: Sequence[Process], seed: int = 0) -> Speed | None:
    """The speed that so many processes show; None where none of them has steady pairs.

    The bootstrap draws by `seed`, so the same records give the same interval.
    """
    sampled = [one for one in processes if one.pairs]
    if not sampled:
        return None
    ratio = _ratio(sampled, None, seed)
    dynamic, static = (
        statistics.median(_total(pair, static) for one in sampled for pair in one.pairs)
        for static in (False, True)
    )
    compile_s = statistics.median(one.compile_s for one in sampled)
    return Speed(
        _verdict(ratio, len(sampled)),
        ratio,
        {name: _ratio(sampled, part, seed) for part, name in enumerate(PARTS)},
        len(sampled),
        sum(len(one.pairs) for one in sampled),
        compile_s,
        math.ceil(compile_s / (dynamic - static)) if dynamic > static else None,
        max(one.programs for one in sampled),
    )


def _verdict(ratio: Ratio, processes: int) -> SpeedVerdict:
    if processes < SPEED_PROCESSES or (ratio.high - ratio.low) / ratio.value > SPEED_WIDTH:
        return SpeedVerdict.UNCLEAR
    if ratio.low > 1.0:
        return SpeedVerdict.FASTER
    return SpeedVerdict.SLOWER if ratio.high < 1.0 else SpeedVerdict.SAME


def of_all(ratios: Sequence[Ratio]) -> Ratio:
    """What several measurements say together: their geometric mean, and all that they hold."""
    value = math.exp(statistics.fmean(math.log(one.value) for one in ratios))
    return Ratio(round(value, 4), min(one.low for one in ratios), max(one.high for one in ratios))


def of_measurements(ratio: Ratio, verdicts: Sequence[SpeedVerdict]) -> SpeedVerdict:
    """The verdict of several measurements, whose `ratio` is that of `of_all`.

    A side is named where all of it lies there and one measurement was clear. What holds 1 is the
    `same` where it is no wider than one measurement may be.
    """
    if all(one is SpeedVerdict.UNCLEAR for one in verdicts):
        return SpeedVerdict.UNCLEAR
    if ratio.low > 1.0 or ratio.high < 1.0:
        return SpeedVerdict.FASTER if ratio.low > 1.0 else SpeedVerdict.SLOWER
    wide = (ratio.high - ratio.low) / ratio.value > SPEED_WIDTH
    return SpeedVerdict.UNCLEAR if wide else SpeedVerdict.SAME


def _total(pair: Pair, static: bool, part: int | None = None) -> float:
    seconds = pair.static if static else pair.dynamic
    return sum(seconds) if part is None else seconds[part]


def _ratio(processes: Sequence[Process], part: int | None, seed: int) -> Ratio:
    """The geometric mean over processes of each one's ratio of medians, with its interval."""
    draw = random.Random(seed)  # noqa: S311 (a bootstrap, repeatable on purpose)
    logs = [
        [_logs(pair, part) for pair in one.pairs if _total(pair, True, part) > 0]
        for one in processes
    ]
    logs = [found for found in logs if found]
    if not logs:
        return Ratio(1.0, 1.0, 1.0)
    drawn = sorted(_drawn(logs, draw) for _ in range(SPEED_DRAWS))
    low, high = drawn[int(0.025 * SPEED_DRAWS)], drawn[int(0.975 * SPEED_DRAWS)]
    value = statistics.mean(statistics.median(found) for found in logs)
    return Ratio(*(round(math.exp(log), 4) for log in (value, low, high)))


def _logs(pair: Pair, part: int | None) -> float:
    dynamic, static = _total(pair, False, part), _total(pair, True, part)
    return math.log(dynamic / static) if dynamic > 0 else 0.0


def _drawn(logs: list[list[float]], draw: random.Random) -> float:
    """One bootstrap sample: processes with repetition, and of each, blocks of its pairs."""
    chosen = draw.choices(logs, k=len(logs))
    return statistics.fmean(statistics.median(_blocks(found, draw)) for found in chosen)


def _blocks(found: list[float], draw: random.Random) -> list[float]:
    size = min(SPEED_BLOCK, len(found))
    starts = range(len(found) - size + 1)
    count = math.ceil(len(found) / size)
    return [log for start in draw.choices(starts, k=count) for log in found[start : start + size]]
