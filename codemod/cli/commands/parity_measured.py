"""`codemod parity --speed` and `--epochs`: configs measured one after the other, and shown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import click

from codemod.base.json_form import to_json
from codemod.cli.output import print_object

if TYPE_CHECKING:
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
    from codemod.judging.evidence.speed_text import reasons, sentences
    from codemod.judging.speed.speed import SpeedVerdict
    from codemod.work.comparing import compare_speed

    rows = compare_speed(wanted, place, processes)
    _print("speed", rows, as_json, 8, [(sentences(row)[0], reasons(row)) for row in rows])
    return int(any(row.verdict is SpeedVerdict.SLOWER for row in rows))


def run_epochs(
    wanted: Sequence[RunSpec], epochs: int, seeds: int, place: Workspace, as_json: bool
) -> int:
    """Train all configs; the exit code is 1 unless every mode ends where dynamic training does."""
    from codemod.judging.convergence.convergence import Convergence
    from codemod.work.comparing import compare_epochs

    rows = compare_epochs(wanted, place, epochs, seeds)
    told = [
        (f"{row.epochs} epochs, {row.steps} steps, {len(row.seeds)} seeds, {row.data}", row.said)
        for row in rows
    ]
    _print("convergence", rows, as_json, 10, told)
    return int(any(row.verdict is not Convergence.EQUIVALENT for row in rows))


def _print(
    name: str,
    rows: Sequence[SpeedRow | ConvergenceRow],
    as_json: bool,
    width: int,
    told: Iterable[tuple[str, Iterable[Reason]]],
) -> None:
    """One object, or a line a row with what is told of it, and its reasons below."""
    if as_json:
        print_object({name: [to_json(row) for row in rows]})
        return
    for row, (text, reasons) in zip(rows, told, strict=True):
        word = row.verdict.value
        click.echo(f"{row.mode:4} {click.style(f'{word:{width}}', fg=_COLOURS[word])} {text}")
        for reason in reasons:
            click.echo(f"{'':{width + 5}} {reason}")
