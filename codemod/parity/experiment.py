"""One config's runs in all modes: which are needed, in which order, and what they add up to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.parity.evidence import Verdict
from codemod.parity.judge import Case, judge, wants_controls
from codemod.parity.record import Record, read_record
from codemod.parity.runner import Command, Wanted, run_once

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# A lockstep run feeds every batch twice; ten pairs tell a fault from rounding.
LOCKSTEP_STEPS = 10


@dataclass(frozen=True, slots=True)
class Experiment:
    """What to run: the kit's command with the gate off and on, and how often.

    `folder` takes records and logs. `limit_s` is the limit of one run in seconds.
    """

    off: Command
    on: Command
    folder: Path
    steps: int
    device: str = "cpu"
    limit_s: float = 1800.0
    seed: int = 0
    controls: bool = True


@dataclass(frozen=True, slots=True)
class Judged:
    """One mode's runs and verdict."""

    case: Case
    verdict: Verdict


class Interrupted(KeyboardInterrupt):
    """Ctrl-C during the runs; `judged` holds what there is of each mode."""

    def __init__(self, judged: dict[str, Judged]) -> None:
        super().__init__()
        self.judged = judged


def run_experiment(
    experiment: Experiment,
    modes: tuple[str, ...],
    progress: Callable[[str, int, float | None, float], None] | None = None,
) -> dict[str, Judged]:
    """Run dynamic twice and each static mode; control runs only where they change a verdict.

    Returns a verdict for each of `modes` ("ast", "sot"). If the kit fails with the hook off, the
    static modes are not run. On Ctrl-C raises Interrupted with what there is.
    """
    runs = _Runs(experiment, progress)
    judged: dict[str, Judged] = {}
    try:
        dynamic = runs.get("dynamic", "dynamic", gate=False)
        for mode in modes:
            if dynamic.outcome != "ok" or not dynamic.steps:
                case = Case(mode, dynamic, dynamic)
            else:
                case = runs.case(mode, dynamic)
            judged[mode] = Judged(case, judge(case))
    except KeyboardInterrupt:
        raise Interrupted(
            {mode: judged.get(mode) or runs.partial(mode) for mode in modes}
        ) from None
    return judged


class _Runs:
    """Runs each wanted run once and keeps its record."""

    def __init__(
        self,
        experiment: Experiment,
        progress: Callable[[str, int, float | None, float], None] | None,
    ) -> None:
        self._experiment = experiment
        self._progress = progress
        self._records: dict[str, Record] = {}

    def get(
        self, name: str, mode: str, gate: bool, nudge: bool = False, lockstep: bool = False
    ) -> Record:
        """The record of the run `name`, run now if it has not been."""
        if name not in self._records:
            this = self._experiment
            steps = min(this.steps, LOCKSTEP_STEPS) if lockstep else this.steps
            wanted = Wanted(name, mode, steps, this.seed, nudge, lockstep)
            command = this.on if gate else this.off
            try:
                self._records[name] = run_once(
                    command, wanted, this.folder, this.device, this.limit_s, self._progress
                )
            except KeyboardInterrupt:
                self._records[name] = read_record(this.folder / f"{name}.jsonl", "interrupted")
                raise
        return self._records[name]

    def partial(self, mode: str) -> Judged:
        """What there is of a mode whose runs were interrupted; it has no verdict."""
        nothing = Record("interrupted", {}, ())
        dynamic = self._records.get("dynamic", nothing)
        static = self._records.get(mode)
        steps = self._experiment.steps
        done = f"dynamic training made {len(dynamic.steps)} of {steps} steps"
        if static is not None:
            done += f", {mode} {len(static.steps)}"
        case = Case(mode, dynamic, static or dynamic, self._records.get("dynamic-repeat"))
        return Judged(case, Verdict("not-run", f"Interrupted: {done}.", rule=""))

    def case(self, mode: str, dynamic: Record) -> Case:
        """All runs that one static mode needs."""
        repeat = self.get("dynamic-repeat", "dynamic", gate=False)
        static = self.get(mode, mode, gate=True)
        case = Case(mode, dynamic, static, repeat)
        if not self._experiment.controls or not wants_controls(case):
            return case
        return Case(
            mode,
            dynamic,
            static,
            repeat,
            ulp=self.get("dynamic-ulp", "dynamic", gate=False, nudge=True),
            lockstep=self.get(f"{mode}-lockstep", mode, gate=True, lockstep=True),
            lockstep_control=self.get("lockstep-control", "dynamic", gate=False, lockstep=True),
        )
