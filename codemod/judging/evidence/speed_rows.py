"""Verdicts of speed, a line each: `evidence/speed/<Kit>.jsonl`, and those of the workspace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason
from codemod.judging.evidence.line_files import LineFiles
from codemod.judging.evidence.rows import bad_names, short_said
from codemod.judging.speed.lost import Overhead
from codemod.judging.speed.speed import Ratio, SpeedVerdict, of_all, of_measurements


@dataclass(frozen=True, slots=True)
class ChangingShapes:
    """What changing batches cost: programs, milliseconds a step with all compiling in it, peak MB.

    `own` are batches as the kit makes them, `fixed` the first one over and over.
    """

    own_programs: int
    fixed_programs: int
    own_ms: float
    fixed_ms: float
    own_mb: float
    fixed_mb: float


@dataclass(frozen=True, slots=True)
class Measurement:
    """One measurement of a row that joins several: its own ratio, loads and verdict."""

    date: str
    verdict: SpeedVerdict
    ratio: Ratio
    load: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class SpeedRow:
    """The speed of one static mode of a config: `ratio` is dynamic time over static time.

    `clock` says by which time: "processor" on a CPU, where other work lengthens the wall's, "wall"
    on a card; `other` is the ratio by the other one. `threads` compute on a CPU. `load` are the
    least and the most of the machine's load average. `dynamic_ms` and `static_ms` are medians of a
    step, the loader (`loader_ms`) apart. `clocks` are the least and the most MHz of a card while it
    ran, `throttled` says that power or heat held it back. `compile_s` went to compiling, `programs`
    were made after warm-up, `pays_off` counts the steps until compiling has paid off. `memory_mb`
    is each side's peak, alone. `lost` says by part where processor time went, `kept_memory` what
    the ratio of a slower mode is with `KEPT_MEMORY`; rows of before these were measured lack both.
    `said` are the reasons, `causes` those that hold on any device.
    `revision` is None where the tree was no commit's: files beside those of hooks were edited.
    `runs` tells how many processes and steady pairs there were. Where it was measured several times
    with the same hook, `measured` has each: ratio and load are those of all, the rest the last's.
    """

    kit: str
    config: str
    paddle: str
    mode: str
    device: str
    verdict: SpeedVerdict
    machine: str = ""
    threads: int = 1
    load: tuple[float, ...] = ()
    clock: str = "processor"
    ratio: Ratio | None = None
    parts: dict[str, Ratio] = field(default_factory=dict)
    other: Ratio | None = None
    dynamic_ms: float | None = None
    static_ms: float | None = None
    loader_ms: float | None = None
    compile_s: float | None = None
    pays_off: int | None = None
    clocks: tuple[int, ...] = ()
    throttled: bool = False
    programs: int = 0
    memory_mb: dict[str, float] = field(default_factory=dict)
    shapes: ChangingShapes | None = None
    lost: dict[str, Overhead] = field(default_factory=dict)
    kept_memory: Ratio | None = None
    said: tuple[Reason, ...] = ()
    causes: tuple[Reason, ...] = ()
    runs: dict[str, int] = field(default_factory=dict)
    measured: tuple[Measurement, ...] = ()
    options: tuple[str, ...] = ()
    revision: str | None = None
    hook: str = ""
    date: str = ""
    kind: str = "speed"

    @property
    def place(self) -> tuple[str, ...]:
        """What it speaks of: a newer row of one place takes the older one's."""
        return (self.config, self.paddle, self.mode, self.device, *self.options)


def joined(earlier: SpeedRow, later: SpeedRow) -> SpeedRow:
    """Both rows of one place as one, where the same was measured twice; else the later one.

    A machine's state moves a ratio by more than one measurement shows, so the interval is that
    from the lowest end of all to the highest.
    """
    same = len({(one.hook, one.machine, one.clock) for one in (earlier, later)}) == 1
    both = {one.date: one for row in (earlier, later) for one in _measurements(row)}
    if not same or len(both) < 2 or not _measurements(later):
        return later
    all_ = tuple(both[date] for date in sorted(both))
    ratio = of_all([one.ratio for one in all_])
    loads = [load for one in all_ for load in one.load]
    verdict = of_measurements(ratio, [one.verdict for one in all_])
    return replace(
        later,
        verdict=verdict,
        said=_joint_reasons(verdict, (later, earlier), len(all_)),
        ratio=ratio,
        load=(min(loads), max(loads)) if loads else (),
        measured=all_,
    )


def _joint_reasons(
    verdict: SpeedVerdict, rows: tuple[SpeedRow, SpeedRow], count: int
) -> tuple[Reason, ...]:
    """Those of a row of that verdict; of a slower one, before all those that were looked into."""
    looked_into = [row for row in rows if row.kept_memory and row.ratio and row.ratio.high < 1.0]
    if verdict is SpeedVerdict.SLOWER and looked_into:
        return tuple(one for one in looked_into[0].said if one.code != "judging.speed-wide")
    alike = next((row for row in rows if row.verdict is verdict), None)
    return alike.said if alike else (Reason.of("judging.speed-apart", count=count),)


def _measurements(row: SpeedRow) -> tuple[Measurement, ...]:
    if row.measured or row.ratio is None:
        return row.measured
    return (Measurement(row.date, row.verdict, row.ratio, row.load),)


SPEED = LineFiles(
    "speed",
    "row of speed",
    SpeedRow,
    lambda row: bad_names(row.kit, (row.config,), (row.mode, row.paddle)),
    joined,
)


def speed_of(
    rows: Iterable[SpeedRow], config: str, paddle: str, device: str | None
) -> dict[str, SpeedRow]:
    """The rows of one config by mode, without options of the user's."""
    return {
        row.mode: row
        for row in rows
        if (row.config, row.paddle, row.device, row.options) == (config, paddle, device, ())
    }


def keep_speed(workspace: Workspace, kit: str, rows: Iterable[SpeedRow]) -> None:
    """Add rows to the workspace's own, as `LineFiles.keep`, without the folders of this machine."""
    told = ((row, short_said(row.said), short_said(row.causes)) for row in rows)
    SPEED.keep(workspace, kit, [replace(row, said=s, causes=c) for row, s, c in told])
