"""Read what the timer of steps wrote: turns of the sides, and what Paddle made in them."""

from __future__ import annotations

import statistics
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codemod.base import given
from codemod.judging.speed.speed import Pair, Process
from codemod.judging.thresholds import SPEED_WARMUP
from codemod.training.record import read_lines

STATIC, DYNAMIC = "static", "dynamic"
WALL, PROCESSOR = "wall", "processor"


@dataclass(frozen=True, slots=True)
class TimedTurn:
    """One side's training of one batch.

    `wall` and `processor` are seconds of forward, backward, step and `rest`, the trainer's own
    work after the last update; `thread` is that part of `processor` which the training thread
    took, `system` what the system took of that, `faults` the minor page faults of all threads:
    three that records of before 0.3 lack. `loader` are the seconds that the batch took. `load` is
    the machine's load average. `static` are the recorder's counters. `inputs` is what the hooked
    layers were called with, None where that was as in the static turn before.
    """

    pair: int
    side: str
    wall: dict[str, float]
    processor: dict[str, float]
    loader: float
    load: float
    static: dict[str, float]
    inputs: tuple[dict[str, Any], ...] | None
    thread: dict[str, float] = field(default_factory=dict)
    system: dict[str, float] = field(default_factory=dict)
    faults: dict[str, float] = field(default_factory=dict)

    @property
    def made(self) -> int:
        """Programs that were traced or translated in it."""
        return int(self.static.get("translations", 0) or self.static.get("traces", 0))

    @property
    def ran(self) -> int:
        """Programs and graphs that ran in it."""
        return int(self.static.get("ast_runs", 0) + self.static.get("sot_graphs", 0))


@dataclass(frozen=True, slots=True)
class Timings:
    """The record of one timed process; `sparse` names by side the gradients that hold rows alone.

    The others were at `places`, such as `gpu:0`. `memory_kb` is its peak, on a card that of the
    card.
    """

    turns: tuple[TimedTurn, ...] = ()
    breaks: tuple[dict[str, Any], ...] = ()
    sparse: dict[str, frozenset[str]] = field(default_factory=dict)
    memory_kb: int = 0
    places: frozenset[str] = frozenset()

    def of(self, side: str) -> tuple[TimedTurn, ...]:
        """The turns of one side."""
        return tuple(turn for turn in self.turns if turn.side == side)

    def settled(self, side: str) -> tuple[TimedTurn, ...]:
        """The turns of one side after warm-up."""
        return tuple(turn for turn in self.of(side) if turn.pair >= SPEED_WARMUP)

    @property
    def steady(self) -> tuple[TimedTurn, ...]:
        """The static turns after warm-up."""
        return self.settled(STATIC)

    @property
    def never_settles(self) -> bool:
        """Whether most turns after warm-up make a program: training is that slow all along."""
        made = [turn.made > 0 for turn in self.steady]
        return sum(made) > len(made) / 2


def read_timings(file: Path) -> Timings:
    """The record that the timer wrote; a run that was cut short is good up to there."""
    with given.believed(file):
        told: dict[str, list[dict[str, Any]]] = defaultdict(list)
        for line in read_lines(file) if file.is_file() else ():
            told[str(line.get("t"))].append(line)
        sparse = told["sparse"]
        return Timings(
            tuple(map(_turn, told["timed"])),
            tuple(told["break"]),
            {str(line["side"]): frozenset(map(str, line["names"])) for line in sparse},
            max((int(one.get("card_kb", one["rss_kb"])) for one in told["memory"]), default=0),
            frozenset(str(place) for line in sparse for place in line.get("places", ())),
        )


def _turn(line: dict[str, Any]) -> TimedTurn:
    inputs = line.get("inputs")
    return TimedTurn(
        pair=int(line["step"]),
        side=str(line["side"]),
        wall=_by_part(line["wall"]),
        processor=_by_part(line["processor"]),
        loader=float(line["loader"]),
        load=float(line["load"]),
        static={name: float(count) for name, count in line["static"].items()},
        inputs=None if inputs is None else tuple(dict(one) for one in inputs),
        thread=_by_part(line.get("thread", {})),
        system=_by_part(line.get("system", {})),
        faults=_by_part(line.get("faults", {})),
    )


def _by_part(told: dict[str, Any]) -> dict[str, float]:
    return {name: float(figure) for name, figure in told.items()}


def process_of(timings: Timings, clock: str) -> Process:
    """The steady pairs of a process by wall or processor time, as the verdict takes them."""
    return Process(
        tuple(
            Pair(_parts(first, clock), _parts(second, clock))
            for first, second in steady_pairs(timings)
        ),
        compile_s=sum(compile_seconds(turn) for turn in timings.of(STATIC)),
        programs=sum(turn.made for turn in timings.steady),
    )


def steady_pairs(timings: Timings) -> list[tuple[TimedTurn, TimedTurn]]:
    """The dynamic and the static turn of each steady pair.

    A pair in which a program was made is a stop of training, counted and left out, unless most
    pairs are such.
    """
    dynamic = {turn.pair: turn for turn in timings.of(DYNAMIC)}
    both = [(dynamic[turn.pair], turn) for turn in timings.steady if turn.pair in dynamic]
    return [two for two in both if timings.never_settles or not two[1].made]


def compile_seconds(turn: TimedTurn) -> float:
    """Seconds of tracing, translating and compiling in a turn."""
    return turn.static.get("trace_s", 0.0) + turn.static.get("first_run_s", 0.0)


def _parts(turn: TimedTurn, clock: str) -> tuple[float, float, float]:
    seconds = turn.wall if clock == WALL else turn.processor
    return seconds["forward"], seconds["backward"], seconds["step"]


def median_ms(turns: tuple[TimedTurn, ...], clock: str) -> float:
    """The median of a step in milliseconds, the loader apart.

    Raises:
        statistics.StatisticsError: there are no turns.
    """
    return 1000 * statistics.median(sum(_parts(turn, clock)) for turn in turns)
