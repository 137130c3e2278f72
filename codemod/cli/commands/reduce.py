"""`codemod reduce`: from what fails in static mode to a short program that shows it."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import TYPE_CHECKING

import click

from codemod.base.errors import UsageError, stoppable
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import note
from codemod.cli import completion, options
from codemod.cli.interruption import exit_when_terminated
from codemod.cli.output import print_object, rendered

if TYPE_CHECKING:
    from codemod.experiments.reduce.request import Reduced, ReduceRequest


@click.command(name="reduce")
@options.optional_target
@click.option(
    "-c",
    "--config",
    help="The kit's config, relative to its root.",
    shell_complete=completion.configs,
)
@options.path
@click.option(
    "--program",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="In the place of a kit's config: a program with `build()`, which gives the layer, and "
    "`step(net)`, which gives a loss.",
)
@options.paddle("The Paddle that shows the fault (default: the newest that is measured).")
@click.option(
    "--mode", type=click.Choice(["ast", "sot"]), default="ast", help="The static mode that fails."
)
@click.option(
    "--minutes",
    type=click.FloatRange(0),
    default=30.0,
    help="Time on the clock; what is smallest then is the result.",
)
@options.flag(
    "--since",
    "Run the result on every release that the tool knows; environments are made for them.",
)
@options.as_json
@options.workspace
def command(
    target: str | None,
    config: str | None,
    path: Path | None,
    program: Path | None,
    paddle: str | None,
    mode: str,
    minutes: float,
    since: bool,
    as_json: bool,
    workspace: Path | None,
) -> int:
    """Cut what fails in static mode down to a program that shows it by itself.

    Of a config of TARGET's the net is inlined by running it once, and the innermost layer that
    fails alike is cut. What stays must show the same fault, in runs on the CPU, with dynamic mode
    fine. The result is a program that imports Paddle alone, run afresh in both modes on two
    Paddles, and an issue's text in English and Chinese. The same command goes on where it was
    interrupted. The exit code is 1 unless the result shows the fault.
    """
    from codemod.base.launch.containment import tell
    from codemod.base.terminal.progress import LiveLine
    from codemod.experiments.reduce.request import ReduceRequest
    from codemod.kits.paddles import measured, paddles

    if (program is None) == (config is None) or (program and (target or path)):
        raise UsageError("Name either a config (TARGET -c CONFIG) or a program (--program FILE).")
    tell(contained=True)
    asked_paddle = paddle or measured()[-1]
    versions = tuple(row.version for row in paddles().releases) if since else measured()
    others = tuple(version for version in versions if version != asked_paddle)
    asked = ReduceRequest(mode, asked_paddle, minutes, others)
    place = Workspace.at(workspace)
    note(
        f"Paddle {asked_paddle} in {mode} mode, then {', '.join(others)}; at most {minutes:g} "
        f"minutes of trying (--minutes); the program goes to {place.root / 'reduced'}."
    )
    kept = f"{place.root / 'reduced'} holds what is smallest so far, and the same command goes on."
    exit_when_terminated()
    with stoppable(lambda: kept), LiveLine("Reducing"):
        if program is not None:
            result = _of_program(program, asked, place)
        else:
            result = _of_config(target, str(config), path, asked, place)
    _print(result, as_json)
    return int(not result.verified)


def _of_program(program: Path, asked: ReduceRequest, place: Workspace) -> Reduced:
    from codemod.experiments.reduce.kit_programs import LayerProgram
    from codemod.experiments.reduce.reduce_job import reduce_program

    try:
        text = program.read_text(encoding="utf-8")
        tree = ast.parse(text, str(program))
    except (SyntaxError, ValueError) as error:
        raise UsageError(f"{program} is no Python: {error}.") from error
    made = {part.name for part in tree.body if isinstance(part, ast.FunctionDef)}
    for name, gives in (("build", "build() gives the layer"), ("step", "step(net) gives a loss")):
        if name not in made:
            raise UsageError(f"{program} has no function `{name}`.", f"{gives}: see --help.")
    folder = place.make("reduced", f"{program.stem}-{asked.paddle}-{asked.mode}")
    return reduce_program([LayerProgram(program.name, text)], asked, _python, folder)


def _of_config(
    target: str | None, config: str, path: Path | None, asked: ReduceRequest, place: Workspace
) -> Reduced:
    from codemod.experiments.reduce.reduce_job import reduce_config
    from codemod.kits.sources import resolve
    from codemod.work.planning import here

    return reduce_config(resolve(target or here(), path, place), config, asked, _python, place)


def _python(paddle: str) -> Path:
    from codemod.training.environment.environments import EnvSpec, ensure

    return ensure(EnvSpec(paddle))


def _print(result: Reduced, as_json: bool) -> None:
    if as_json:
        print_object(result.to_json())
        return
    click.echo(Path(result.file).read_text(encoding="utf-8"))
    click.echo(rendered("reduce.txt", result=result), nl=False)
