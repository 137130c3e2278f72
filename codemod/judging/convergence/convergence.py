"""Whether static training ends where dynamic training does, after many epochs on real data.

Bits cannot say that, for rounding grows with every step; statistics can. Each seed is trained
dynamic, dynamic again with every weight moved by one unit in the last place (the control), and
static. Two things must hold:

- The course. Up to the 1st, 2nd, 4th, 8th, ... step, static losses are no further from dynamic ones
  of the same seed than `COURSE_FACTOR` times what the control is. Early windows are the sharp ones:
  nothing has grown there yet.
- The end. Final loss, mean loss and the kit's own metric are equivalent: the 90 % interval of the
  mean difference by seed lies within a bound that dynamic training's own seeds set (two one-sided
  t-tests, D. J. Schuirmann, 1987).
"""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from codemod.base.reason import Reason
from codemod.judging.thresholds import (
    CONVERGENCE_DRAWS,
    CONVERGENCE_SEEDS,
    COURSE_FACTOR,
    COURSE_FLOOR,
    END_FLOOR,
    END_SPREADS,
    LEARNS,
    STUDENT_T,
)


class Convergence(Enum):
    """What the seeds allow to say."""

    EQUIVALENT = "equivalent"
    DIFFERS = "differs"
    UNCLEAR = "unclear"
    NOT_RUN = "not-run"


@dataclass(frozen=True, slots=True)
class Course:
    """One training: the loss of each step, and the kit's own metric at its end if it has one."""

    losses: tuple[float, ...]
    metric: float | None = None

    @property
    def finite(self) -> bool:
        """Whether it has steps and every loss is a number."""
        return bool(self.losses) and all(map(math.isfinite, self.losses))


@dataclass(frozen=True, slots=True)
class Seed:
    """One seed's three trainings."""

    dynamic: Course
    control: Course
    static: Course


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure of the end: means over seeds, and the interval of static minus dynamic.

    `bound` is what the interval must lie within, `spread` the deviation of dynamic training's own
    seeds.
    """

    name: str
    dynamic: float
    static: float
    low: float
    high: float
    bound: float
    spread: float

    @property
    def verdict(self) -> Convergence:
        """Equivalent within the bound, different beyond it, unclear across it."""
        if -self.bound <= self.low and self.high <= self.bound:
            return Convergence.EQUIVALENT
        beyond = self.low > self.bound or self.high < -self.bound
        return Convergence.DIFFERS if beyond else Convergence.UNCLEAR

    @property
    def silent(self) -> bool:
        """Whether it is one number, whatever the seed and the mode: a metric at its end."""
        return not self.spread and not self.low and not self.high

    @property
    def would_see(self) -> float:
        """A shift of this size would have been called a difference."""
        return self.bound + (self.high - self.low) / 2


@dataclass(frozen=True, slots=True)
class Window:
    """Steps `first` to `last`: how far static and control losses are off, relative to dynamic's."""

    first: int
    last: int
    static: float
    control: float

    @property
    def factor(self) -> float:
        """Static's distance as a multiple of the control's."""
        return self.static / max(self.control, COURSE_FLOOR)


@dataclass(frozen=True, slots=True)
class Judged:
    """The verdict with what it rests on.

    `false_alarms` and `undecided` are the shares of `differs` and `unclear` among draws in which
    dynamic training's own control stood in the place of static training.
    """

    verdict: Convergence
    measures: tuple[Measure, ...]
    windows: tuple[Window, ...]
    false_alarms: float
    undecided: float

    @property
    def worst(self) -> Window:
        """The window in which static is furthest off, as a multiple."""
        return max(self.windows, key=lambda one: one.factor)


def learns(course: Course) -> bool:
    """Whether the loss falls: the mean of the last tenth against the first's."""
    tenth = max(1, len(course.losses) // 10)
    first, last = statistics.mean(course.losses[:tenth]), statistics.mean(course.losses[-tenth:])
    return last < first - (1 - LEARNS) * abs(first)


def judge(seeds: Sequence[Seed]) -> Judged:
    """The verdict of so many seeds, whose trainings are finite and of one length."""
    measures, windows = _measures(seeds), _windows(seeds)
    alarms = [_decided_by(_measures(drawn), _windows(drawn)) for drawn in _own(seeds)]
    return Judged(
        _decided_by(measures, windows) if len(seeds) >= CONVERGENCE_SEEDS else Convergence.UNCLEAR,
        measures,
        windows,
        alarms.count(Convergence.DIFFERS) / len(alarms),
        alarms.count(Convergence.UNCLEAR) / len(alarms),
    )


def _decided_by(measures: Sequence[Measure], windows: Sequence[Window]) -> Convergence:
    found = {one.verdict for one in measures}
    if Convergence.DIFFERS in found or any(one.factor > COURSE_FACTOR for one in windows):
        return Convergence.DIFFERS
    return Convergence.UNCLEAR if Convergence.UNCLEAR in found else Convergence.EQUIVALENT


def _own(seeds: Sequence[Seed]) -> list[list[Seed]]:
    """Draws of seeds in which the control is the static side, and another seed's its control."""
    draw = random.Random(0)  # noqa: S311 (a bootstrap, repeatable on purpose)
    found = []
    for _ in range(CONVERGENCE_DRAWS):
        drawn = []
        first, second = (draw.choices(seeds, k=len(seeds)) for _ in range(2))
        for one, other in zip(first, second, strict=True):
            pair = [one.dynamic, one.control]
            draw.shuffle(pair)
            # The other seed's distance, put on this one's course.
            moved = [
                mine + (theirs - its)
                for mine, theirs, its in zip(
                    pair[0].losses, other.control.losses, other.dynamic.losses, strict=True
                )
            ]
            metric = _moved(pair[0].metric, other.control.metric, other.dynamic.metric)
            drawn.append(Seed(pair[0], Course(tuple(moved), metric), pair[1]))
        found.append(drawn)
    return found


def _moved(mine: float | None, theirs: float | None, its: float | None) -> float | None:
    return None if mine is None or theirs is None or its is None else mine + theirs - its


def _measures(seeds: Sequence[Seed]) -> tuple[Measure, ...]:
    tenth = max(1, len(seeds[0].dynamic.losses) // 10)
    sides = [[one.dynamic for one in seeds], [one.static for one in seeds]]
    found = [
        _measure("final loss", *([_mean(one.losses[-tenth:]) for one in side] for side in sides)),
        _measure("mean loss", *([_mean(one.losses) for one in side] for side in sides)),
    ]
    metrics = [[one.metric for one in side if one.metric is not None] for side in sides]
    if all(len(one) == len(seeds) for one in metrics):
        found.append(_measure("metric", *metrics))
    return tuple(found)


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _measure(name: str, dynamic: list[float], static: list[float]) -> Measure:
    apart = [one - other for one, other in zip(static, dynamic, strict=True)]
    mean, count = statistics.mean(apart), len(apart)
    spread = statistics.stdev(dynamic) if count > 1 else 0.0
    freedom = min(max(1, count - 1), max(STUDENT_T))
    deviation = statistics.stdev(apart) if count > 1 else math.inf
    half = STUDENT_T[freedom] * deviation / math.sqrt(count)
    centre = statistics.mean(dynamic)
    return Measure(
        name,
        centre,
        statistics.mean(static),
        mean - half,
        mean + half,
        max(END_SPREADS * spread, END_FLOOR * abs(centre)),
        spread,
    )


def _windows(seeds: Sequence[Seed]) -> tuple[Window, ...]:
    """Windows that double: steps 0, 1, 2 to 3, 4 to 7, ..."""
    length, found, first = len(seeds[0].dynamic.losses), [], 0
    while first < length:
        last = min(2 * first, length) if first else 1
        static = [_apart(seed.dynamic, seed.static, first, last) for seed in seeds]
        control = [_apart(seed.dynamic, seed.control, first, last) for seed in seeds]
        medians = statistics.median(static), statistics.median(control)
        found.append(Window(first, last - 1, *medians))
        first = last
    return tuple(found)


def _apart(one: Course, other: Course, first: int, last: int) -> float:
    mine, its = one.losses[first:last], other.losses[first:last]
    return math.dist(mine, its) / (math.hypot(*mine) or 1.0)


def told(judged: Judged, seeds: int) -> tuple[Reason, ...]:
    """What a verdict rests on: the course, then each figure of the end, then how sure it is."""
    worst = judged.worst
    found = [
        Reason.of(
            "judging.epochs-course",
            factor=f"{worst.factor:.3g}",
            first=worst.first + 1,
            last=worst.last + 1,
        )
    ]
    found += [
        Reason.of(
            f"judging.epochs-{'silent' if one.silent else one.verdict.value}",
            name=Reason.of(f"judging.epochs-{one.name.replace(' ', '-')}"),
            dynamic=f"{one.dynamic:.5g}",
            static=f"{one.static:.5g}",
            low=f"{one.low:+.2g}",
            high=f"{one.high:+.2g}",
            bound=f"{one.bound:.2g}",
        )
        for one in judged.measures
    ]
    found.append(
        Reason.of(
            "judging.epochs-sure",
            alarms=f"{100 * judged.false_alarms:.1f}",
            unclear=f"{100 * judged.undecided:.1f}",
            shift=f"{judged.measures[0].would_see:.2g}",
            seeds=seeds,
        )
    )
    return tuple(found)
