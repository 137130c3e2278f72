"""From the records of timed processes to a verdict of speed with its reasons."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from codemod.base.reason import Reason
from codemod.judging.speed.lost import Overhead, lost_by_part, why_lost
from codemod.judging.speed.slowness import SLOW_PART, causes, slow_part
from codemod.judging.speed.speed import Ratio, Speed, SpeedVerdict, judge_speed
from codemod.judging.speed.timings import (
    DYNAMIC,
    PROCESSOR,
    STATIC,
    WALL,
    Timings,
    median_ms,
    process_of,
)
from codemod.judging.thresholds import (
    CALL_MS,
    SHORT_STEP_MS,
    SPEED_PAIRS,
    SPEED_PROCESSES,
    SPEED_WIDTH,
)
from codemod.judging.where import astray


@dataclass(frozen=True, slots=True)
class JudgedSpeed:
    """A verdict, with what it rests on; without pairs enough `speed` and the figures are None."""

    verdict: SpeedVerdict
    clock: str
    said: tuple[Reason, ...]
    causes: tuple[Reason, ...] = ()
    speed: Speed | None = None
    other: Ratio | None = None
    dynamic_ms: float | None = None
    static_ms: float | None = None
    loader_ms: float | None = None
    load: tuple[float, ...] = ()
    lost: dict[str, Overhead] = field(default_factory=dict)

    @property
    def loses(self) -> bool:
        """Whether static steps surely take longer; by how much may be unclear."""
        return self.speed is not None and self.speed.ratio.high < 1.0


def judge_timings(
    timed: Sequence[Timings], device: str, why_not: Reason, root: Path | None = None
) -> JudgedSpeed:
    """The verdict of one mode's timed processes.

    On a CPU a step's processor time is taken: other work on the machine lengthens the wall's. On a
    card it is the wall's, which waits for the card. `why_not` says what became of processes
    without any pair, `root` is the kit's folder.
    """
    clock, other = (WALL, PROCESSOR) if device.startswith("gpu") else (PROCESSOR, WALL)
    places = tuple(sorted(frozenset[str]().union(*(one.places for one in timed))))
    if astray(places, device):
        told = Reason.of("judging.speed-elsewhere", wanted=device, found=places)
        return JudgedSpeed(SpeedVerdict.UNCLEAR, clock, (told,))
    processes = [process_of(one, clock) for one in timed]
    enough = [one for one in processes if len(one.pairs) >= SPEED_PAIRS]
    speed = judge_speed(enough)
    found = causes(timed[0], root)
    if speed is None:
        most = max((len(one.pairs) for one in processes), default=0)
        few = Reason.of("judging.speed-few-pairs", most=most, least=SPEED_PAIRS)
        none = Reason.of("judging.speed-no-pairs", why=why_not)
        said = (few, *found) if most else (none,)
        return JudgedSpeed(SpeedVerdict.UNCLEAR, clock, said, found)
    sides = {
        side: [turn for one in timed for turn in one.settled(side)] for side in (DYNAMIC, STATIC)
    }
    loads = [turn.load for one in timed for turn in one.turns]
    whole = judge_speed([process_of(one, other) for one in timed])
    dynamic_ms, static_ms = (median_ms(tuple(sides[side]), clock) for side in (DYNAMIC, STATIC))
    short = _short(dynamic_ms, static_ms) if speed.verdict is SpeedVerdict.SLOWER else ()
    return JudgedSpeed(
        speed.verdict,
        clock,
        (*_said(speed, found), *short),
        found,
        speed,
        whole.ratio if whole else None,
        dynamic_ms,
        static_ms,
        1000 * statistics.median(turn.loader for turn in sides[DYNAMIC]),
        (min(loads), max(loads)),
        lost_by_part(timed) if clock == PROCESSOR else {},
    )


def kept_ratio(timed: Sequence[Timings]) -> Ratio | None:
    """The ratio of processes that keep all memory, by processor time; None without pairs."""
    speed = judge_speed([process_of(one, PROCESSOR) for one in timed])
    return speed.ratio if speed else None


def with_lost(judged: JudgedSpeed, kept: Ratio | None) -> JudgedSpeed:
    """The judgement of a mode that loses, with where time went; `kept` is of `kept_ratio`."""
    if judged.speed is None or not judged.loses:
        return judged
    first = next(n for n, one in enumerate(judged.said, 1) if one.code.startswith(SLOW_PART))
    named = judged.said[first:]
    why = why_lost(judged.lost, judged.speed.ratio, kept, named)
    return replace(judged, said=(*judged.said[:first], *why, *named))


def _short(dynamic_ms: float, static_ms: float) -> tuple[Reason, ...]:
    """That a step is too short for what a call of a program costs; nothing where it loses more."""
    lost = static_ms - dynamic_ms
    if dynamic_ms >= SHORT_STEP_MS or lost >= CALL_MS:
        return ()
    lost_ms, whole_ms = f"{lost:.2g}", f"{dynamic_ms:.2g}"
    return (Reason.of("judging.speed-short", lost=lost_ms, dynamic=whole_ms),)


def _said(speed: Speed, found: tuple[Reason, ...]) -> tuple[Reason, ...]:
    """The reasons beside a verdict: `slower` has to name what it comes from."""
    parts = {name: ratio.value for name, ratio in speed.parts.items()}
    slow = (slow_part(parts),) if speed.ratio.high < 1.0 else ()
    if speed.verdict is SpeedVerdict.SLOWER:
        return (*slow, *found)
    if speed.verdict is not SpeedVerdict.UNCLEAR:
        return ()
    if speed.processes < SPEED_PROCESSES:
        few = Reason.of("judging.speed-few", count=speed.processes, least=SPEED_PROCESSES)
        return (few, *slow, *found)
    width = 100 * (speed.ratio.high - speed.ratio.low) / speed.ratio.value
    wide = Reason.of("judging.speed-wide", width=f"{width:.0f}", most=f"{100 * SPEED_WIDTH:g}")
    return (wide, *slow, *found)
