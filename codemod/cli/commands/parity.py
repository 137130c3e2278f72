"""`codemod parity`: train a kit with the hook off and on; judged, timed, or over many epochs."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from codemod.base.files.workspace import Workspace
from codemod.base.json_form import named, to_json
from codemod.base.reason import Reason
from codemod.base.terminal.spoken import language, told
from codemod.cli import options
from codemod.cli.interruption import exit_when_terminated
from codemod.cli.output import mode_reason, print_object, say, shown_verdict

if TYPE_CHECKING:
    from codemod.judging.evidence.convergence_rows import ConvergenceRow
    from codemod.judging.evidence.result import ModeResult, Result
    from codemod.judging.evidence.speed_rows import SpeedRow
    from codemod.training.run_spec import RunSpec
    from codemod.work.comparing import Compared

_COLOURS = {
    "faster": "green",
    "same": "green",
    "slower": "red",
    "unclear": "yellow",
    "equivalent": "green",
    "differs": "red",
    "not-run": "red",
}


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
@options.recipe_paddle
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
    help="No one-ulp and lockstep runs: nothing but bit equality passes.",
)
@options.number(
    "--jobs",
    1,
    "Runs at the same time: quicker, but without a speed-up, because they share the machine.",
)
@options.number(
    "--nproc", 1, "Processes that train together, started by Paddle's launcher; each is judged."
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
@options.said_in
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
    from codemod.training.run_spec import RunSpec, parse_modes
    from codemod.work.comparing import Trains, compare, train_here

    _refuse_idle(speed=speed, epochs=epochs is not None, fresh=fresh, several=nproc > 1)
    options.refuse_beside_python(run["python"])
    if cluster is not None:
        options.refuse("The records of a cluster's runs stay on its nodes", "rejudge")
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
    exit_when_terminated()
    if speed:
        return run_speed(wanted, processes, place, as_json)
    if epochs is not None:
        return run_epochs(wanted, epochs, seeds, place, as_json)
    train: Trains = train_here
    if cluster is not None:
        from codemod.cli.commands.parity_cluster import run_on_cluster

        train = partial(run_on_cluster, cluster)
    made = compare(wanted, place, again=fresh or rejudge, quiet=as_json, train=train)
    print_compared(made, as_json)
    return int(bool(made.lost) or not all(result.passed for _, result in made.results))


def _refuse_idle(*, speed: bool, epochs: bool, fresh: bool, several: bool) -> None:
    """Refuse what the way of training that is asked for takes no notice of.

    Raises:
        UsageError: names the options, and what takes none of them.
    """
    if speed:
        why = "--speed times one process after the other on this machine"
        options.refuse(why, "cluster", "jobs", "epochs", "seeds", "controls", "rejudge")
    elif epochs:
        why = "--epochs trains to the end on this machine, each seed with its control"
        options.refuse(why, "cluster", "steps", "processes", "controls")
    else:
        options.refuse("Without --speed no processes are timed", "processes")
        options.refuse("Without --epochs one seed is trained, that of --seed", "seeds")
    if fresh:
        options.refuse("--force runs everything again", "rejudge")
    if not several:
        options.refuse("One process has no gradients to exchange", "backend")


def print_compared(made: Compared, as_json: bool) -> None:
    """Each result with its verdicts, or one object of all; what was lost, with the reason."""
    several = len(made.results) + len(made.lost) > 1
    if as_json and several:
        results = [parity_object(result, file) for file, result in made.results]
        print_object({"results": results, "lost": made.lost})
        return
    for file, result in made.results:
        if as_json:
            print_object(parity_object(result, file))
        else:
            if several:
                click.echo(f"{result.config}:")
            _print(result, file)
    for config, error in made.lost.items():
        say(Reason.of("cli.lost", config=config, error=error), err=as_json)
    sys.stdout.flush()


def parity_object(result: Result, file: Path) -> dict[str, Any]:
    """One run as the contract of `--json` has it."""
    from codemod.judging.evidence.result import FIGURES

    keys = ("verdict", *FIGURES, "reason", "said", "first", "hazard")
    modes = {mode: named(fields, *keys) for mode, fields in result.modes.items()}
    head = named(result, "kit", "config", "device", "paddle")
    return {**head, "modes": modes, "report": str(file.with_suffix(".html"))}


def _print(result: Result, file: Path) -> None:
    for mode, fields in result.modes.items():
        click.echo(f"{mode:4} {shown_verdict(fields.verdict)} {mode_reason(fields)}")
        for known in _explained(fields):
            click.echo(f"{'':21} {told(known)}")
    say(Reason.of("cli.report", file=str(file.with_suffix(".html"))))
    if result.parity is not None and result.parity.curves and not result.parity.pictures:
        command = "uv tool install './paddle-codemod[parity]'"
        say(Reason.of("cli.not-drawn", extra="parity", command=command), err=True)


def _explained(fields: ModeResult) -> list[Reason]:
    """The hazard with its place and remedy, else what is known of the class of difference."""
    from codemod.hazards.catalog import CHINESE_REMEDIES

    found = fields.hazard
    if found is None:
        return [fields.advice or Reason.said(fields.hint)] if fields.hint else []
    at = Reason.of("cli.hazard-at", place=f"{found.file}:{found.line}") if found.file else ""
    remedy = Reason.said(found.remedy, CHINESE_REMEDIES.get(found.id, ""))
    return [Reason.of("cli.hazard", hazard=f"{found.id} {found.name}", place=at, remedy=remedy)]


def run_speed(wanted: Sequence[RunSpec], processes: int, place: Workspace, as_json: bool) -> int:
    """Time all configs; the exit code is 1 where a mode is slower than dynamic training."""
    from codemod.judging.evidence.speed_text import reasons, sentences
    from codemod.judging.speed.speed import SpeedVerdict
    from codemod.work.comparing import compare_speed

    rows = compare_speed(wanted, place, processes)
    said = [(sentences(row, language())[0], reasons(row)) for row in rows]
    _print_rows("speed", rows, as_json, 8, said)
    return int(any(row.verdict is SpeedVerdict.SLOWER for row in rows))


def run_epochs(
    wanted: Sequence[RunSpec], epochs: int, seeds: int, place: Workspace, as_json: bool
) -> int:
    """Train all configs; the exit code is 1 unless every mode ends where dynamic training does."""
    from codemod.judging.convergence.convergence import Convergence
    from codemod.work.comparing import compare_epochs

    rows = compare_epochs(wanted, place, epochs, seeds)
    lengths = [
        Reason.of("cli.epochs", epochs=r.epochs, steps=r.steps, seeds=len(r.seeds), data=r.data)
        for r in rows
    ]
    said = [(told(length), row.said) for length, row in zip(lengths, rows, strict=True)]
    _print_rows("convergence", rows, as_json, 10, said)
    return int(any(row.verdict is not Convergence.EQUIVALENT for row in rows))


def _print_rows(
    name: str,
    rows: Sequence[SpeedRow | ConvergenceRow],
    as_json: bool,
    width: int,
    said: Iterable[tuple[str, Iterable[Reason]]],
) -> None:
    """One object, or a line a row with what is said of it, and its reasons below."""
    if as_json:
        print_object({name: [to_json(row) for row in rows]})
        return
    for row, (text, reasons) in zip(rows, said, strict=True):
        word = row.verdict.value
        click.echo(f"{row.mode:4} {click.style(f'{word:{width}}', fg=_COLOURS[word])} {text}")
        for reason in reasons:
            click.echo(f"{'':{width + 5}} {told(reason)}")
