"""`codemod parity`: train a kit with the hook off and on, and judge."""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import note
from codemod.cli import options
from codemod.cli.interruption import stoppable
from codemod.cli.output import print_object, shown_verdict

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from codemod.base.changeset import Source
    from codemod.judging.evidence.result import ModeResult, Result
    from codemod.training.preparation import Prepared
    from codemod.training.run_spec import RunSpec

_EXTRA = "the extra `parity` (uv tool install './paddle-codemod[parity]')."


@click.command(name="parity")
@options.target
@options.configs("The kit's config, relative to its root (repeat for several).", required=True)
@options.number("--steps", 50, "Optimizer steps of each run.")
@click.option(
    "--modes",
    default="dynamic,ast,sot",
    help="Modes to train in, separated by commas; cinn is one more, where the build has it.",
)
@options.device
@options.path
@options.pairs
@options.paddle
@options.python
@options.index
@options.wheels
@options.launch
@click.option("--seed", default=0, help="Seed of all random generators.")
@options.limit
@click.option(
    "--no-controls",
    "controls",
    flag_value=False,
    default=True,
    show_default=False,
    help="No one-ulp and lockstep runs: judge only by bit equality and rounding.",
)
@options.number(
    "--jobs",
    1,
    "Runs at the same time: quicker, but without a speed-up, because they share the machine.",
)
@options.number(
    "--nproc",
    1,
    "Processes that train together, started by Paddle's launcher; each is judged.",
)
@click.option(
    "--backend",
    type=click.Choice(["gloo", "nccl"]),
    help="What carries their gradients (default: gloo on the CPU, nccl on GPUs).",
)
@options.cluster("Train on the nodes of a Ray cluster, a config a node's processor:")
@options.flag("--speed", "Time steps instead: dynamic and static in turn, in fresh processes.")
@options.number("--processes", 5, "With --speed: so many processes; fewer than 5 say nothing.")
@click.option(
    "--epochs",
    type=click.IntRange(1),
    metavar="N",
    help="Train N epochs on real data instead, by several seeds: does static training end where "
    "dynamic training does?",
)
@options.number("--seeds", 5, "With --epochs: so many seeds, 3 at least.", least=3)
@options.flag("--force", "Run again even if the result is known.", into="fresh")
@options.flag(
    "--rejudge", "Judge the kept runs again, as after an update; run only what is missing."
)
@options.as_json
@options.workspace
def command(
    target: str,
    configs: tuple[str, ...],
    modes: str,
    path: Path | None,
    nproc: int,
    backend: str | None,
    cluster: str | None,
    speed: bool,
    processes: int,
    epochs: int | None,
    seeds: int,
    fresh: bool,
    rejudge: bool,
    as_json: bool,
    workspace: Path | None,
    **run: Any,
) -> int:
    """Train TARGET's configs with the hook off and on, and compare step by step.

    Each run is the kit's own training command in a new process: dynamic twice, then each static
    mode. The kit's own switch turns the hook on. The exit code is 1 unless every mode passes;
    with --speed, where a mode is slower than dynamic training; with --epochs, unless every mode
    ends where dynamic training does.
    """
    from codemod.base.terminal.progress import LiveLine
    from codemod.cli.commands.parity_measured import run_epochs, run_speed, source_of
    from codemod.experiments.parity import parity_job as task
    from codemod.training.preparation import prepare
    from codemod.training.run_spec import RunSpec, parse_modes

    place = Workspace.at(workspace)
    first, *more = dict.fromkeys(configs)
    asked = RunSpec(
        target,
        first,
        modes=parse_modes(modes),
        path=path,
        ranks=nproc,
        backend=backend or "",
        fresh=fresh,
        **run,
    )
    wanted = [asked, *(replace(asked, config=config) for config in more)]
    if speed:
        return run_speed(wanted, processes, place, as_json)
    if epochs is not None:
        return run_epochs(wanted, epochs, seeds, place, as_json)
    done: list[tuple[Path, Result]] = []
    missing: list[Prepared] = []
    with LiveLine("Reading the kit"):
        source = source_of(wanted, place)
        ready = [prepare(asked, source, place) for asked in wanted]
    for prepared in ready:
        found = None if fresh or rejudge else task.known(prepared, place)
        if found is None:
            missing.append(prepared)
            continue
        if not as_json:
            click.echo("This run is known; --force runs it again.", err=True)
        done.append(found)
    if missing:
        _foretell([prepared.spec for prepared in missing], source, place)
    lost: dict[str, str] = {}
    if cluster is None:
        done += ((task.result_file(one, place), _run(one, place)) for one in missing)
    elif missing:
        from codemod.cli.commands.parity_cluster import run_on_cluster

        came, lost = run_on_cluster(cluster, [prepared.spec for prepared in missing], source, place)
        done += came
    order = [asked.config for asked in wanted]
    done.sort(key=lambda one: order.index(one[1].config))
    _print_all(done, lost, as_json, several=len(wanted) > 1)
    return int(bool(lost) or not all(result.passed for _, result in done))


def _foretell(wanted: Sequence[RunSpec], source: Source, place: Workspace) -> None:
    """Say how much will be trained, where records go, and how long it takes on this machine."""
    from codemod.experiments.parity.experiment import usual_runs
    from codemod.training.run_cost import foretold

    kit, first = source.kit or source.root.name, wanted[0]
    many = f"{len(wanted)} configs, each" if len(wanted) > 1 else first.config
    note(
        f"{kit} {many}: {len(usual_runs(first.modes))} trainings of {first.steps} steps, more "
        f"where a verdict asks for them; records in {place.root / 'runs'}; "
        f"{foretold('parity', kit, len(wanted))}."
    )


def _run(ready: Prepared, place: Workspace) -> Result:
    from codemod.base.launch.containment import tell
    from codemod.base.terminal.progress import Progress
    from codemod.experiments.parity import experiment
    from codemod.experiments.parity import parity_job as task
    from codemod.training import run_cost

    asked = ready.spec
    click.echo(
        f"{ready.identity.kit} {asked.config}: Paddle {ready.build.version}, "
        f"{ready.identity.device}, {asked.steps} steps",
        err=True,
    )
    tell(contained=False)
    runs = experiment.usual_runs(asked.modes)
    expected = partial(experiment.expected_runs, asked.modes, asked.steps)
    with (
        Progress(asked.steps, runs, expected) as progress,
        stoppable(lambda: _kept(ready, place)),
        run_cost.timed("parity", ready.identity.kit),
    ):
        return task.run(ready, place, progress.show)


def _kept(ready: Prepared, place: Workspace) -> str:
    """What an interrupted run leaves behind."""
    from codemod.experiments.parity import parity_job as task

    file = task.result_file(ready, place)
    if task.is_whole(file):
        return (
            f"the earlier result in {file} stands, and what was measured now is beside it in "
            f"{task.partial_file(file).name}."
        )
    return (
        f"finished runs are kept in {ready.folder}, and the same command (without --force) goes on "
        "with the rest."
    )


def _print_all(
    done: list[tuple[Path, Result]], lost: dict[str, str], as_json: bool, several: bool
) -> None:
    if as_json and several:
        whole = {"results": [parity_object(result, file) for file, result in done], "lost": lost}
        print_object(whole)
        return
    for file, result in done:
        if as_json:
            print_object(parity_object(result, file))
        else:
            if several:
                click.echo(f"{result.config}:")
            _print(result, file)
    for config, reason in lost.items():
        click.echo(f"lost {config}  {reason}", err=as_json)
    sys.stdout.flush()


def parity_object(result: Result, file: Path) -> dict[str, Any]:
    """One run as the contract of `--json` has it."""
    from codemod.base.json_form import named
    from codemod.judging.evidence.result import FIGURES

    keys = ("verdict", *FIGURES, "reason", "said", "first", "hazard")
    modes = {mode: named(fields, *keys) for mode, fields in result.modes.items()}
    head = named(result, "kit", "config", "device", "paddle")
    return {**head, "modes": modes, "report": str(file.with_suffix(".html"))}


def _print(result: Result, file: Path) -> None:
    for mode, fields in result.modes.items():
        click.echo(f"{mode:4} {shown_verdict(fields.verdict)} {fields.reason}")
        for line in _explained(fields):
            click.echo(f"{'':21} {line}")
    click.echo(f"Report: {file.with_suffix('.html')}")
    if result.parity is not None and result.parity.curves and not result.parity.pictures:
        click.echo(
            f"The differences by step are not drawn: that needs matplotlib, {_EXTRA}", err=True
        )


def _explained(fields: ModeResult) -> list[str]:
    """The hazard with its place and remedy, else what is known of the class of difference."""
    hazard = fields.hazard
    if hazard is None:
        return [fields.hint] if fields.hint else []
    where = f" at {hazard.file}:{hazard.line}" if hazard.file else ""
    return [f"{hazard.id} {hazard.name}{where}: {hazard.remedy}"]
