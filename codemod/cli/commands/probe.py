"""`codemod probe`: build models on generated batches and compare the modes, a few steps each."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from codemod.base.changeset import Source
from codemod.base.errors import UsageError, stoppable
from codemod.base.files.workspace import Workspace
from codemod.base.json_form import to_json
from codemod.base.reason import Reason
from codemod.base.terminal.spoken import told
from codemod.cli import options
from codemod.cli.interruption import exit_when_terminated
from codemod.cli.output import mode_reason, print_damaged, print_object, say, shown_verdict

if TYPE_CHECKING:
    from codemod.experiments.probe.probe_job import OnProbe
    from codemod.experiments.probe.request import ProbeOutcome, ProbeRequest
    from codemod.judging.evidence.result import Result

_Outcome = TypeVar("_Outcome")


@click.command(name="probe")
@options.target
@options.configs(
    "A config relative to the kit's root, or a glob (repeat for several; default: all)."
)
@options.recipe_paddle
@options.python
@click.option(
    "--adapter",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="An adapter of your own, for a repository that is not a known kit.",
)
@options.path
@click.option(
    "--jobs",
    type=click.IntRange(1),
    metavar="N",
    help="Probes at the same time (default: as many as there are processors).",
)
@options.probe_limit
@click.option(
    "--memory",
    "memory_gb",
    type=click.FloatRange(0.1),
    metavar="GB",
    help="Memory of one run beyond the kit's own (default: 80 % of the machine's, divided by N of "
    "--jobs; with --cluster 4).",
)
@options.cluster("Probe on the nodes of a Ray cluster:")
@click.option("--count", type=click.IntRange(1), metavar="N", help="Only the first N models.")
@options.flag("--force", "Probe again even if the result is known.")
@options.flag(
    "--bisect",
    "Say since which release of Paddle each config shows what it shows: probe it on the "
    "oldest and the newest that the tool knows, then on those between that are needed.",
)
@options.flag("--summary", "Run nothing; add up the kept results.")
@options.said_in
@options.as_json
@options.workspace
def command(
    target: str,
    path: Path | None,
    bisect: bool,
    summary: bool,
    as_json: bool,
    workspace: Path | None,
    **wish: Any,
) -> int:
    """Build TARGET's models on the CPU and train each for two steps: dynamic, AST and SOT.

    Each model is probed once, the small ones of every family first. Each run is a process of its
    own. Known results are not run again. The exit code is 1 unless every mode passes; with
    --bisect, unless every probe ran.
    """
    from codemod.experiments.probe.request import ProbeRequest

    place = Workspace.at(workspace)
    options.refuse_beside_python(wish["python"])
    if summary:
        options.refuse("--summary runs nothing", "bisect", *wish)
        return _summary(target, place, as_json)
    asked = ProbeRequest(**wish)
    if bisect:
        return _bisect(target, path, asked, place, as_json)
    from codemod.experiments.probe.probe_job import probe_kit

    outcome = _run(target, path, asked, place, probe_kit)
    _print(outcome, as_json)
    passed = not outcome.lost and all(result.passed for result in outcome.results)
    return int(not passed)


def _bisect(
    target: str, path: Path | None, asked: ProbeRequest, place: Workspace, as_json: bool
) -> int:
    if not asked.configs or asked.paddle or asked.python:
        raise UsageError(
            "--bisect needs a config, and takes the Paddles that the tool knows.",
            "Name one with -c, and leave out --paddle and --python.",
        )
    from codemod.experiments.probe.bisecting import bisect_kit

    found = _run(target, path, asked, place, bisect_kit)
    changed = [{"config": c, "mode": m, **to_json(one)} for c, m, one in found.changed]
    if as_json:
        print_object({**_content(found.outcome), "changed": changed})
        return int(bool(found.outcome.lost))
    _print(found.outcome, as_json=False)
    for config, mode, one in found.changed:
        was, now, before, since = one.was.value, one.now.value, one.before, one.since
        changes = Reason.of("cli.changes", was=was, before=before, now=now, since=since)
        say(Reason.of("cli.at", place=f"{mode:4} {config}", message=changes))
    if not changed:
        say(Reason.of("cli.no-change"))
    return int(bool(found.outcome.lost))


def _run(
    target: str,
    path: Path | None,
    asked: ProbeRequest,
    place: Workspace,
    job: Callable[[Source, ProbeRequest, Workspace, OnProbe], _Outcome],
) -> _Outcome:
    from codemod.base.launch.containment import tell
    from codemod.base.terminal.amounts import duration
    from codemod.base.terminal.progress import LiveLine
    from codemod.cli.queue_state import QueueState
    from codemod.experiments.probe.request import processors
    from codemod.kits.sources import resolve

    if asked.cluster is None:
        tell(contained=True)
    state = QueueState(asked.jobs or processors())

    def finished(number: int, total: int, result: Result) -> None:
        part = result.probe
        name, seconds = (part.model, part.seconds) if part else (result.config, 0.0)
        state.add(number, total, result, name, f" ({duration(seconds)})")

    def kept() -> str:
        return (
            f"finished probes are kept in {place.root}, and the same command (without --force) "
            "goes on with the rest."
        )

    exit_when_terminated()
    with stoppable(kept), LiveLine("Reading the kit", state.text):
        return job(resolve(target, path, place), asked, place, finished)


def _print(outcome: ProbeOutcome, as_json: bool) -> None:
    from codemod.judging.evidence.probe_results import summary

    if as_json:
        print_object(_content(outcome))
        return
    for result in sorted(outcome.results, key=lambda result: result.config):
        for mode, fields in result.modes.items():
            verdict = shown_verdict(fields.verdict)
            why = mode_reason(fields)
            click.echo(f"{mode:4} {verdict} {result.config}  {why}")
    for config, why in outcome.unread.items():
        say(Reason.of("cli.unread", config=config, why=why))
    for config, why in outcome.lost.items():
        say(Reason.of("cli.lost-probe", config=config, why=why))
    _print_rows(summary(outcome.results))


def _content(outcome: ProbeOutcome) -> dict[str, Any]:
    from codemod.judging.evidence.probe_results import summary
    from codemod.judging.evidence.result_files import to_content

    results = [to_content(result) for result in outcome.results]
    rows = summary(outcome.results)
    whole = {"results": results, "unread": outcome.unread, "summary": rows}
    return {**whole, "lost": outcome.lost} if outcome.lost else whole


def _summary(target: str, place: Workspace, as_json: bool) -> int:
    from codemod.judging.evidence.probe_results import folder_of, summary
    from codemod.judging.evidence.result_files import read_results
    from codemod.kits.catalogue import find_kit

    kit = find_kit(target).name
    kept = read_results(folder_of(place, kit))
    print_damaged(kept.damaged)
    rows = summary([one.result for one in kept.results])
    if not rows:
        raise UsageError(f"No probe of {kit} is kept in {place.root}.", f"Run: codemod probe {kit}")
    if as_json:
        print_object({"results": [], "summary": rows})
    else:
        _print_rows(rows)
    return 0


def _print_rows(rows: list[dict[str, Any]]) -> None:
    """One table: verdicts by kit, Paddle and mode, with how long the probes took together."""
    from codemod.base.terminal.amounts import duration
    from codemod.cli.table import print_table
    from codemod.training.runner import STATIC_MODES

    lines: list[list[str]] = []
    for row in rows:
        models = str(row["models"])
        ran, failed = row["ran"], row["models"] - row["ran"]
        both = Reason.of("cli.runs-and-not", ran=ran, failed=failed)
        runs = told(both if failed else Reason.of("cli.runs", ran=ran))
        took = duration(row["seconds"])
        lines.append([row["kit"], row["paddle"], "dynamic", models, str(ran), runs, took])
        for mode in STATIC_MODES:
            found = row[mode]
            counts = ", ".join(f"{name} {n}" for name, n in found["verdicts"].items())
            good = str(found["agreed"])
            lines.append([row["kit"], row["paddle"], mode, models, good, counts, ""])
    if lines:
        print_table(told(Reason.of("cli.headings")).split(), lines)
