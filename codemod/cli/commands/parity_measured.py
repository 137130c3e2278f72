"""`codemod parity --speed` and `--epochs`: configs measured one after the other, and shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from codemod.base.errors import UsageError
from codemod.base.terminal.doing import doing, note
from codemod.base.terminal.progress import LiveLine, Progress
from codemod.cli.interruption import exit_when_terminated
from codemod.cli.output import print_object

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from codemod.base.changeset import Source
    from codemod.base.files.workspace import Workspace
    from codemod.base.reason import Reason
    from codemod.judging.evidence.convergence_rows import ConvergenceRow
    from codemod.judging.evidence.speed_rows import SpeedRow
    from codemod.training.run_spec import RunSpec

_COLOURS = {
    "faster": "green",
    "same": "green",
    "slower": "red",
    "unclear": "yellow",
    "equivalent": "green",
    "differs": "red",
    "not-run": "red",
}


def run_speed(wanted: Sequence[RunSpec], processes: int, place: Workspace, as_json: bool) -> int:
    """Time all configs; the exit code is 1 where a mode is slower than dynamic training."""
    from codemod.experiments.speed.speed_job import check_speed, measure
    from codemod.judging.speed.speed import SpeedVerdict
    from codemod.judging.speed.speed_text import reasons, sentences
    from codemod.training.preparation import prepare

    check_speed(wanted[0])
    with LiveLine("Reading the kit"):
        source = source_of(wanted, place)
    rows: list[SpeedRow] = []
    for one in wanted:
        ready = prepare(one, source, place)
        told = f"Paddle {ready.build.version}, {ready.identity.device}, {processes} processes"
        note(f"{ready.identity.kit} {one.config}: {told}")
        runs = [f"{mode}-{number}" for number in range(processes) for mode in one.modes]
        with Progress(one.steps, runs) as progress:
            rows += measure(ready, place, progress.show, processes)
    _print("speed", rows, as_json, 8, [(sentences(row)[0], reasons(row)) for row in rows])
    return int(any(row.verdict is SpeedVerdict.SLOWER for row in rows))


def run_epochs(
    wanted: Sequence[RunSpec], epochs: int, seeds: int, place: Workspace, as_json: bool
) -> int:
    """Train all configs; the exit code is 1 unless every mode ends where dynamic training does."""
    from codemod.experiments.convergence.convergence_job import CONTROL, measure
    from codemod.judging.convergence.convergence import Convergence
    from codemod.training.preparation import prepare
    from codemod.training.real_data import real_training
    from codemod.training.runner import DYNAMIC

    if wanted[0].ranks > 1:
        raise UsageError("--epochs trains in one process.", "Leave out --nproc.")
    with LiveLine("Reading the kit"):
        source = source_of(wanted, place)
        known = [real_training(source.kit or source.root.name, one.config) for one in wanted]
    rows: list[ConvergenceRow] = []
    for one, real in zip(wanted, known, strict=True):
        ready = prepare(one, source, place)
        numbers = range(one.seed, one.seed + seeds)
        runs = [f"{side}-{seed}" for seed in numbers for side in (DYNAMIC, CONTROL, *one.modes)]
        note(
            f"{ready.identity.kit} {one.config}: Paddle {ready.build.version}, "
            f"{ready.identity.device}, {len(runs)} trainings of {epochs} epochs on {real.data}"
        )
        with Progress(1, runs) as progress:
            rows += measure(ready, real, place, progress.show, epochs=epochs, seeds=seeds)
    told = [
        (f"{row.epochs} epochs, {row.steps} steps, {len(row.seeds)} seeds, {row.data}", row.said)
        for row in rows
    ]
    _print("convergence", rows, as_json, 10, told)
    return int(any(row.verdict is not Convergence.EQUIVALENT for row in rows))


def source_of(wanted: Sequence[RunSpec], place: Workspace) -> Source:
    """The kit, in which every config is one that can be trained; hooks that it lacks are told."""
    from codemod.kits.sources import resolve
    from codemod.training.preparation import checked
    from codemod.work.missing_hooks import missing_hooks

    first = wanted[0]
    source = resolve(first.target, first.path, place)
    for one in wanted:  # all of them, before an environment is made for the first
        checked(one, source)
    doing("Looking for the kit's hooks")
    if warning := missing_hooks(source, first.path, place):
        note(warning)
    exit_when_terminated()
    return source


def _print(
    name: str,
    rows: Sequence[SpeedRow | ConvergenceRow],
    as_json: bool,
    width: int,
    told: Iterable[tuple[str, Iterable[Reason]]],
) -> None:
    """One object, or a line a row with what is told of it, and its reasons below."""
    if as_json:
        from codemod.base.json_form import to_json

        print_object({name: [to_json(row) for row in rows]})
        return
    for row, (text, reasons) in zip(rows, told, strict=True):
        word = row.verdict.value
        click.echo(f"{row.mode:4} {click.style(f'{word:{width}}', fg=_COLOURS[word])} {text}")
        for reason in reasons:
            click.echo(f"{'':{width + 5}} {reason}")
