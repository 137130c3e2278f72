"""`codemod parity --speed`: configs timed one after the other, and their verdicts shown."""

from __future__ import annotations

import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import click

from codemod.base.terminal.progress import LiveLine, Progress
from codemod.cli.as_json import print_object
from codemod.experiments.speed.speed_job import check_speed, measure
from codemod.judging.speed.speed import SpeedVerdict
from codemod.judging.speed.speed_text import reasons, sentences
from codemod.kits.sources import resolve
from codemod.training.preparation import checked, prepare
from codemod.work.missing_hooks import missing_hooks

if TYPE_CHECKING:
    from codemod.base.files.workspace import Workspace
    from codemod.judging.evidence.speed_rows import SpeedRow
    from codemod.training.run_spec import RunSpec

_COLOURS = {
    SpeedVerdict.FASTER: "green",
    SpeedVerdict.SAME: "green",
    SpeedVerdict.SLOWER: "red",
    SpeedVerdict.UNCLEAR: "yellow",
}


def run_speed(
    first: RunSpec,
    configs: list[str],
    processes: int,
    place: Workspace,
    as_json: bool,
) -> int:
    """Time all configs; the exit code is 1 where a mode is slower than dynamic training."""
    check_speed(first)
    wanted = [replace(first, config=config) for config in configs]
    with LiveLine("Reading the kit"):
        source = resolve(first.target, first.path, place)
        for one in wanted:
            checked(one, source)
        warning = missing_hooks(source, first.path, place)
    if warning:
        click.echo(warning, err=True)
    # Without this, a terminated command would leave its training process behind.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    rows: list[SpeedRow] = []
    for one in wanted:
        ready = prepare(one, source, place)
        told = f"Paddle {ready.build.version}, {ready.identity.device}, {processes} processes"
        click.echo(f"{ready.identity.kit} {one.config}: {told}", err=True)
        runs = [f"{mode}-{number}" for number in range(processes) for mode in one.modes]
        with Progress(one.steps, runs) as progress:
            rows += measure(ready, place, progress.show, processes)
    _print(rows, as_json)
    return int(any(row.verdict is SpeedVerdict.SLOWER for row in rows))


def _print(rows: list[SpeedRow], as_json: bool) -> None:
    if as_json:
        from codemod.base.json_form import to_json

        print_object({"speed": [to_json(row) for row in rows]})
        return
    for row in rows:
        verdict = click.style(f"{row.verdict.value:8}", fg=_COLOURS[row.verdict])
        click.echo(f"{row.mode:4} {verdict} {sentences(row)[0]}")
        for reason in reasons(row):
            click.echo(f"{'':13} {reason}")
