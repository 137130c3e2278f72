"""Configs trained dynamically and statically: compared step by step, timed, or over epochs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from codemod.base.changeset import Source
from codemod.base.errors import UsageError, stoppable
from codemod.base.files.workspace import Workspace
from codemod.base.launch.containment import tell
from codemod.base.terminal.doing import doing, note
from codemod.base.terminal.progress import LiveLine, Progress
from codemod.experiments.parity import experiment, parity_job
from codemod.judging.evidence.convergence_rows import ConvergenceRow
from codemod.judging.evidence.result import Result
from codemod.judging.evidence.speed_rows import SpeedRow
from codemod.kits.sources import resolve
from codemod.training.preparation import Prepared, checked, prepare
from codemod.training.run_cost import foretold, timed
from codemod.training.run_spec import RunSpec
from codemod.training.runner import DYNAMIC
from codemod.work.missing_hooks import missing_hooks


@dataclass(frozen=True, slots=True)
class Compared:
    """Each config's result with its file; `lost` says why others came to no end."""

    results: tuple[tuple[Path, Result], ...]
    lost: dict[str, str] = field(default_factory=dict)


Trains = Callable[[Sequence[Prepared], Source, Workspace], Compared]
"""Trains configs of a source, and keeps their results in a workspace."""


def train_here(missing: Sequence[Prepared], _source: Source, place: Workspace) -> Compared:
    """Train the configs one after the other on this machine."""
    results = [(parity_job.result_file(one, place), _run(one, place)) for one in missing]
    return Compared(tuple(results))


def compare(
    wanted: Sequence[RunSpec],
    place: Workspace,
    *,
    again: bool = False,
    quiet: bool = False,
    train: Trains = train_here,
) -> Compared:
    """Train each config in each mode, unless its result is known, and compare step by step.

    All are of one target. With `again` no result is known; if `quiet`, that one is known is not
    told. `train` trains those that are missing.

    Raises:
        UsageError: a config cannot be trained, or the checkout has no hook at all.
        Stopped: Ctrl-C; says what is kept.
    """
    with LiveLine("Reading the kit"):
        source = _source_of(wanted, place)
        ready = [prepare(asked, source, place) for asked in wanted]
    done: list[tuple[Path, Result]] = []
    missing: list[Prepared] = []
    for prepared in ready:
        found = None if again else parity_job.kept_run(prepared, place)
        if found is None:
            missing.append(prepared)
            continue
        if not quiet:
            note(f"{prepared.spec.config}: this run is known, and is not made again.")
        done.append(found)
    lost: dict[str, str] = {}
    if missing:
        _foretell([prepared.spec for prepared in missing], source, place)
        trained = train(missing, source, place)
        done, lost = [*done, *trained.results], trained.lost
    order = [asked.config for asked in wanted]
    return Compared(tuple(sorted(done, key=lambda one: order.index(one[1].config))), lost)


def _foretell(wanted: Sequence[RunSpec], source: Source, place: Workspace) -> None:
    """Say how much will be trained, where records go, and how long it takes on this machine."""
    kit, first = source.name, wanted[0]
    runs = experiment.usual_runs(first.modes)
    many = f"{len(wanted)} configs, each" if len(wanted) > 1 else first.config
    note(
        f"{kit} {many}: {len(runs)} trainings of {first.steps} steps, more "
        f"where a verdict asks for them; records in {place.root / 'runs'}; "
        f"{foretold('parity', kit, len(wanted))}."
    )


def _run(ready: Prepared, place: Workspace) -> Result:
    asked = ready.spec
    _head(ready, f"{asked.steps} steps")
    tell(contained=False)
    runs = experiment.usual_runs(asked.modes)
    expected = partial(experiment.expected_runs, asked.modes, asked.steps)
    with (
        Progress(asked.steps, runs, expected) as progress,
        stoppable(lambda: _kept(ready, place)),
        timed("parity", ready.identity.kit),
    ):
        return parity_job.run(ready, place, progress.show)


def _kept(ready: Prepared, place: Workspace) -> str:
    """What an interrupted run leaves behind."""
    file = parity_job.result_file(ready, place)
    if parity_job.is_whole(file):
        return (
            f"the earlier result in {file} stands, and what was measured now is beside it in "
            f"{parity_job.partial_file(file).name}."
        )
    return (
        f"finished runs are kept in {ready.folder}, and the same command (without --force) goes on "
        "with the rest."
    )


def compare_speed(wanted: Sequence[RunSpec], place: Workspace, processes: int) -> list[SpeedRow]:
    """Time each config's steps in so many fresh processes, dynamic and static in turn."""
    from codemod.experiments.speed.speed_job import check_speed, measure

    check_speed(wanted[0])
    with LiveLine("Reading the kit"):
        source = _source_of(wanted, place)
    rows: list[SpeedRow] = []
    for one in wanted:
        ready = prepare(one, source, place)
        _head(ready, f"{processes} processes")
        runs = [f"{mode}-{number}" for number in range(processes) for mode in one.modes]
        with Progress(one.steps, runs) as progress:
            rows += measure(ready, place, progress.show, processes)
    return rows


def compare_epochs(
    wanted: Sequence[RunSpec], place: Workspace, epochs: int, seeds: int
) -> list[ConvergenceRow]:
    """Train each config so many epochs on real data, by so many seeds, each mode beside dynamic.

    Raises:
        UsageError: as `compare`; or several processes are to train together.
    """
    from codemod.experiments.convergence.convergence_job import CONTROL, measure
    from codemod.training.real_data import real_training

    if wanted[0].ranks > 1:
        raise UsageError("--epochs trains in one process.", "Leave out --nproc.")
    with LiveLine("Reading the kit"):
        source = _source_of(wanted, place)
    known = [real_training(source.name, one.config) for one in wanted]
    rows: list[ConvergenceRow] = []
    for one, real in zip(wanted, known, strict=True):
        ready = prepare(one, source, place)
        numbers = range(one.seed, one.seed + seeds)
        sides = (DYNAMIC, CONTROL, *one.modes)
        runs = [f"{side}-{seed}" for seed in numbers for side in sides]
        _head(ready, f"{len(runs)} trainings of {epochs} epochs on {real.data}")
        with Progress(1, runs) as progress:
            rows += measure(ready, real, place, progress.show, epochs=epochs, seeds=seeds)
    return rows


def _head(ready: Prepared, told: str) -> None:
    paddle, device = ready.build.version, ready.identity.device
    note(f"{ready.identity.kit} {ready.spec.config}: Paddle {paddle}, {device}, {told}")


def _source_of(wanted: Sequence[RunSpec], place: Workspace) -> Source:
    """The kit, in which every config is one that can be trained; hooks that it lacks are told."""
    first = wanted[0]
    source = resolve(first.target, first.path, place)
    for one in wanted:  # all of them, before an environment is made for the first
        checked(one, source)
    doing("Looking for the kit's hooks")
    if warning := missing_hooks(source, first.path, place):
        note(warning)
    return source
