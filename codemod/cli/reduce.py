"""`codemod reduce`: from what fails in static mode to a short program that shows it."""

from __future__ import annotations

import json
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from codemod.base.errors import Stopped, UsageError
from codemod.base.workspace import Workspace
from codemod.cli import options

if TYPE_CHECKING:
    from codemod.experiments.reduce.request import Reduced

_PADDLES = ("2.6.2", "3.3.1")


@click.command(name="reduce")
@click.option(
    "--program",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    required=True,
    metavar="FILE",
    help="A program with `build()`, which gives the layer, and `step(net)`, which gives a loss.",
)
@options.paddle
@click.option(
    "--mode",
    type=click.Choice(["ast", "sot"]),
    default="ast",
    show_default=True,
    help="The static mode that fails.",
)
@click.option(
    "--minutes",
    type=click.FloatRange(0),
    default=30.0,
    show_default=True,
    help="Time on the clock; what is smallest then is the result.",
)
@options.as_json
@options.workspace
def command(
    program: Path,
    paddle: str | None,
    mode: str,
    minutes: float,
    as_json: bool,
    workspace: Path | None,
) -> int:
    """Cut a program that fails in static mode down to what the fault needs.

    What is cut must show the same fault, in runs on the CPU, with dynamic mode fine. The result is
    a program that imports Paddle alone, run afresh in both modes on two Paddles, and an issue's
    text in English and Chinese. The same command goes on where it was interrupted. The exit code
    is 1 unless the result shows the fault.
    """
    from codemod.base.progress import LiveLine
    from codemod.experiments.reduce.reduce_job import reduce_program
    from codemod.experiments.reduce.request import ReduceRequest
    from codemod.training.environments import EnvSpec, ensure

    # Without this, a terminated command would leave its servers behind.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    asked_paddle = paddle or _PADDLES[-1]
    others = tuple(version for version in _PADDLES if version != asked_paddle)
    asked = ReduceRequest(mode, asked_paddle, minutes, others)
    folder = Workspace.at(workspace).make("reduced", f"{program.stem}-{asked_paddle}-{mode}")
    try:
        text = program.read_text(encoding="utf-8")
        compile(text, str(program), "exec")
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"{program} is no Python: {error}.") from error
    try:
        with LiveLine("Reducing"):
            result = reduce_program([text], asked, lambda v: ensure(EnvSpec(v)), folder)
    except KeyboardInterrupt as stop:
        raise Stopped(
            f"Interrupted; {folder} holds what is smallest so far, and the same command goes on."
        ) from stop
    _print(result, as_json)
    return int(not result.verified)


def _print(result: Reduced, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(result.to_json(), ensure_ascii=False))
        return
    click.echo(Path(result.file).read_text(encoding="utf-8"))
    for printed in result.printed.values():
        click.echo(printed.line)
    end = "" if result.ended else ", stopped by --minutes"
    click.echo(
        f"{result.file}: {result.code_lines} lines of {result.lines}, "
        f"{result.tests} programs tried in {result.minutes:.1f} min{end}."
    )
    if result.same:
        click.echo(f"The same cause: docs/paddle-issues/{result.same}")
    if not result.verified:
        click.echo("In fresh processes the result does not show the fault: do not send it.")
