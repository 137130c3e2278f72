"""`codemod parity --epochs`: configs trained on real data by several seeds, and their verdicts."""

from __future__ import annotations

import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from codemod.base.errors import UsageError
from codemod.base.terminal.doing import note
from codemod.base.terminal.progress import LiveLine, Progress
from codemod.cli.as_json import print_object
from codemod.experiments.convergence.convergence_job import CONTROL, measure
from codemod.judging.convergence.convergence import Convergence
from codemod.kits.sources import resolve
from codemod.training.preparation import checked, prepare
from codemod.training.real_data import real_training
from codemod.training.runner import DYNAMIC
from codemod.work.missing_hooks import missing_hooks

if TYPE_CHECKING:
    from codemod.base.files.workspace import Workspace
    from codemod.judging.evidence.convergence_rows import ConvergenceRow
    from codemod.training.run_spec import RunSpec

_COLOURS = {
    Convergence.EQUIVALENT: "green",
    Convergence.DIFFERS: "red",
    Convergence.UNCLEAR: "yellow",
    Convergence.NOT_RUN: "red",
}


def run_epochs(
    first: RunSpec,
    configs: list[str],
    epochs: int,
    seeds: int,
    place: Workspace,
    as_json: bool,
) -> int:
    """Train all configs; the exit code is 1 unless every mode ends where dynamic training does."""
    if first.ranks > 1:
        raise UsageError("--epochs trains in one process.", "Leave out --nproc.")
    wanted = [replace(first, config=config) for config in configs]
    with LiveLine("Reading the kit"):
        source = resolve(first.target, first.path, place)
        for one in wanted:
            checked(one, source)
        known = [real_training(source.kit or source.root.name, one.config) for one in wanted]
        warning = missing_hooks(source, first.path, place)
    if warning:
        note(warning)
    # Without this, a terminated command would leave its training process behind.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
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
    _print(rows, as_json)
    return int(any(row.verdict is not Convergence.EQUIVALENT for row in rows))


def _print(rows: list[ConvergenceRow], as_json: bool) -> None:
    if as_json:
        from codemod.base.json_form import to_json

        print_object({"convergence": [to_json(row) for row in rows]})
        return
    for row in rows:
        verdict = click.style(f"{row.verdict.value:10}", fg=_COLOURS[row.verdict])
        steps = f"{row.epochs} epochs, {row.steps} steps, {len(row.seeds)} seeds, {row.data}"
        click.echo(f"{row.mode:4} {verdict} {steps}")
        for reason in row.said:
            click.echo(f"{'':15} {reason}")
