"""One `codemod parity --epochs`: every seed trained dynamic, nudged and static, judged and kept."""

from __future__ import annotations

import re
import shutil
import statistics
from dataclasses import dataclass, replace
from pathlib import Path

from codemod.base import given
from codemod.base.errors import UsageError
from codemod.base.files.atomic import locked
from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason
from codemod.experiments.parity.kept import once
from codemod.judging.captured import any_step
from codemod.judging.convergence.convergence import (
    Convergence,
    Course,
    Judged,
    Seed,
    judge,
    learns,
    told,
)
from codemod.judging.evidence.convergence_rows import CONVERGENCE, ConvergenceRow
from codemod.judging.evidence.result_files import now
from codemod.training.fanout import fan_out
from codemod.training.launch import Setting, commands, commit_of
from codemod.training.preparation import Prepared
from codemod.training.real_data import RealTraining, evaluation, laid_over
from codemod.training.record import Record
from codemod.training.runner import (
    DYNAMIC,
    Command,
    OnStep,
    RunRequest,
    last_words,
    log_tail,
    run_once,
)

MAKERS = Path(__file__).parents[2] / "training" / "real_data_inside"
CONTROL = "control"
# More steps than any of these trainings has: they end by themselves.
_ALL = 10**9
# The variable of a run in which nothing of ours is to run.
_NOBODY = "CODEMOD_NOTHING"
_MAKING_S = 300.0


@dataclass(frozen=True, slots=True)
class Trained:
    """One training: its course, or why there is none. `static` where a program or graph ran."""

    course: Course
    static: bool
    nudged: int
    fault: str


class SeededTrainings:
    """Makes the trainings of one config and judges them."""

    def __init__(
        self,
        ready: Prepared,
        real: RealTraining,
        workspace: Workspace,
        progress: OnStep | None,
        epochs: int,
        seeds: int,
    ) -> None:
        self._ready, self._spec, self._real = ready, ready.spec, real
        self._epochs, self._seeds = epochs, seeds
        self._progress = progress
        self._folder = ready.folder.with_name(f"{ready.folder.name}-epochs")
        self._data = self._made(workspace) if real.maker else Path()

    def rows(self) -> tuple[ConvergenceRow, ...]:
        """A row a mode."""
        self._folder.mkdir(parents=True, exist_ok=True)
        seeds = range(self._spec.seed, self._spec.seed + self._seeds)
        runs = [(seed, side) for seed in seeds for side in (DYNAMIC, CONTROL, *self._spec.modes)]
        with locked(self._folder):
            made = fan_out(runs, lambda run: self._train(*run), self._spec.jobs)
            trained = {run: found for run, found in made if isinstance(found, Trained)}
        return tuple(self._row(mode, list(seeds), trained) for mode in self._spec.modes)

    def _made(self, workspace: Workspace) -> Path:
        """The folder of real data, made once by a script in the training environment."""
        folder = workspace.make("data").resolve() / f"real-{self._real.maker}"
        stamp = folder / ".made"
        script = MAKERS / f"{self._real.maker}.py"
        text = script.read_text(encoding="utf-8")
        if stamp.is_file() and stamp.read_text(encoding="utf-8") == text:
            return folder
        folder.mkdir(parents=True, exist_ok=True)
        argv = (str(self._ready.python.absolute()), str(script), str(folder))
        wanted = RunRequest("making", DYNAMIC, 0, reader=_NOBODY)
        record = run_once(Command(argv, folder), wanted, folder, "cpu", _MAKING_S)
        if record.outcome != "ok":
            raise UsageError(
                f"The real data of {self._spec.config} could not be made: "
                f"{(log_tail(folder, 'making').splitlines() or [record.outcome])[-1]}",
                f"Its log is {folder / 'making.log'}.",
            )
        stamp.write_text(text, encoding="utf-8")
        return folder

    def _train(self, seed: int, side: str) -> Trained:
        name = f"{side}-{seed}"
        mode = DYNAMIC if side == CONTROL else side
        wanted = RunRequest(name, mode, _ALL, seed, nudge=side == CONTROL, light=True)
        over = laid_over(self._ready.recipe, self._real)
        off, on = commands(over, self._setting(seed, name), self._data)
        command = off if mode == DYNAMIC else on

        def run() -> Record:
            record = self._run(command, wanted)
            if record.outcome == "ok" and self._real.evaluate:
                whole = evaluation(self._ready.recipe, self._real)
                again = commands(whole, self._setting(seed, name), self._data)[0]
                asked = RunRequest(f"{name}-evaluation", DYNAMIC, 0, seed, reader=_NOBODY)
                self._run(replace(again, watched={}), asked)
            shutil.rmtree(self._folder / name, ignore_errors=True)  # the models that it saved
            return record

        record = once(command, wanted, self._folder, run, self._spec.fresh)
        last = last_words(record, self._folder, name)
        fault = "" if record.outcome == "ok" else f"{record.outcome}: {last}"
        course = Course(
            tuple(statistics.fmean(step.losses) for step in record.steps if step.losses),
            self._metric(name),
        )
        return Trained(course, any_step(record), record.nudged, fault)

    def _run(self, command: Command, wanted: RunRequest) -> Record:
        limit = self._spec.limit_s or float(self._real.limit_s)
        device = self._ready.device
        return run_once(command, wanted, self._folder, device, limit, self._progress)

    def _setting(self, seed: int, name: str) -> Setting:
        setting = self._ready.setting(_ALL, self._folder / name)
        spec = replace(self._spec, seed=seed)
        return replace(setting, spec=spec, data=self._data, epochs=self._epochs)

    def _metric(self, name: str) -> float | None:
        """The last figure that the kit printed."""
        file = self._folder / f"{name}{'-evaluation' if self._real.evaluate else ''}.log"
        found = re.findall(self._real.metric, given.tail(file, 2**20)) if file.is_file() else []
        return float(found[-1]) if found else None

    def _row(
        self, mode: str, seeds: list[int], trained: dict[tuple[int, str], Trained]
    ) -> ConvergenceRow:
        ready, spec = self._ready, self._spec
        sides = {side: [trained[seed, side] for seed in seeds] for side in (DYNAMIC, CONTROL, mode)}
        verdict, said = unjudged(mode, sides, spec.seed)
        judged: Judged | None = None
        if verdict is None:
            courses = zip(*([one.course for one in side] for side in sides.values()), strict=True)
            judged = judge([Seed(*three) for three in courses])
            verdict, said = judged.verdict, told(judged, len(seeds))
        return ConvergenceRow(
            kit=ready.identity.kit,
            config=spec.config,
            paddle=ready.build.version,
            mode=mode,
            device=ready.identity.device,
            verdict=verdict,
            epochs=self._epochs,
            seeds=tuple(seeds),
            steps=len(sides[DYNAMIC][0].course.losses),
            data=self._real.data,
            metric=self._real.metric_name,
            measures=judged.measures if judged else (),
            windows=judged.windows if judged else (),
            false_alarms=judged.false_alarms if judged else None,
            undecided=judged.undecided if judged else None,
            losses=tuple(
                (self._by_epoch(one.course), self._by_epoch(other.course))
                for one, other in zip(sides[DYNAMIC], sides[mode], strict=True)
            ),
            said=said,
            options=spec.options,
            revision=commit_of(ready.source),
            hook=ready.identity.hook,
            date=now(),
        )

    def _by_epoch(self, course: Course) -> tuple[float, ...]:
        """Mean losses, an epoch each; epochs are of equal length."""
        size = max(1, len(course.losses) // self._epochs)
        starts = range(0, len(course.losses) - size + 1, size)
        means = (statistics.fmean(course.losses[start : start + size]) for start in starts)
        return tuple(float(f"{mean:.6g}") for mean in means)


def unjudged(
    mode: str, sides: dict[str, list[Trained]], first: int
) -> tuple[Convergence | None, tuple[Reason, ...]]:
    """The verdict that needs no statistics, with its reason; None where they must decide.

    `sides` has the trainings of dynamic mode, the control and `mode`, a seed each from `first` on.
    """
    fault = _not_run(mode, sides, first)
    if fault is not None:
        return Convergence.NOT_RUN, (fault,)
    if any(not one.course.finite for one in sides[mode]):
        return Convergence.DIFFERS, (Reason.of("judging.epochs-not-finite"),)
    if other := _other_length(sides, mode, first):
        _, dynamic, made = other
        # By the fields that rows on file have.
        how = Reason.of("judging.epochs-other-length", dynamic=dynamic, static=made)
        return Convergence.DIFFERS, (how,)
    return None, ()


def _not_run(mode: str, sides: dict[str, list[Trained]], first: int) -> Reason | None:
    """Why the trainings say nothing of static mode; None where they do.

    What becomes of the control is rounding's doing, so that static mode is never blamed for it.
    """
    for side in (DYNAMIC, CONTROL, mode):
        for number, one in enumerate(sides[side], first):
            if one.fault:
                return Reason.of("judging.epochs-run-ended", side=side, seed=number, last=one.fault)
    if any(not one.course.finite for one in sides[DYNAMIC]):
        return Reason.of("judging.epochs-diverge")
    if not any(learns(one.course) for one in sides[DYNAMIC]):
        return Reason.of("judging.epochs-no-learning")
    if len({one.course.losses for one in sides[DYNAMIC]}) < len(sides[DYNAMIC]):
        return Reason.of("judging.epochs-equal-seeds")
    if not all(one.nudged for one in sides[CONTROL]):
        return Reason.of("judging.epochs-void-control")
    if other := _other_length(sides, CONTROL, first):
        seed, dynamic, made = other
        return Reason.of("judging.epochs-control-length", seed=seed, dynamic=dynamic, made=made)
    if any(not one.course.finite for one in sides[CONTROL]):
        return Reason.of("judging.epochs-control-not-finite")
    if not all(one.static for one in sides[mode]):
        return Reason.of("judging.epochs-no-program")
    return None


def _other_length(
    sides: dict[str, list[Trained]], side: str, first: int
) -> tuple[int, int, int] | None:
    """The first seed with another number of steps on a side: the seed, dynamic's number, its own.

    None where there is none.
    """
    for seed, (one, other) in enumerate(zip(sides[DYNAMIC], sides[side], strict=True), first):
        dynamic, made = len(one.course.losses), len(other.course.losses)
        if dynamic != made:
            return seed, dynamic, made
    return None


def measure(
    ready: Prepared,
    real: RealTraining,
    workspace: Workspace,
    progress: OnStep | None = None,
    *,
    epochs: int,
    seeds: int,
) -> tuple[ConvergenceRow, ...]:
    """Train a config in all asked modes, `seeds` times `epochs` each, and keep the rows.

    Raises:
        UsageError: the same is being measured in this workspace, or its data cannot be made.
    """
    rows = SeededTrainings(ready, real, workspace, progress, epochs, seeds).rows()
    CONVERGENCE.keep(workspace, ready.identity.kit, rows)
    return rows
