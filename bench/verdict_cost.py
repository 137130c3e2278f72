"""What a parity verdict costs: processor time of all its runs over that of the kit's own training.

usage: python -m bench.verdict_cost --workspace DIR [--for MINUTES] [--paddle V]... [--kit NAME]...
                                    [--steps N] [--write]

The configs are those of `bench/speed_verdicts.yaml`. Each is trained once bare, dynamic with the
recorder in its light form, which counts steps alone so that the run ends after the last one, and
then judged by `codemod parity --force`. Both are told in seconds of processor time with all that
they start, which other work on the machine does not lengthen; of the runs, how many there were.
The recorder's share is its own time on the training thread in a step of the dynamic run, each the
first decile of its steps: both are by the wall, and in a step that others interrupt the recorder
would look cheap. What the workspace has is left out; `--write` puts the table into
docs/measured/verdict-cost.md.
"""

from __future__ import annotations

import os
import shutil
import statistics
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from bench.config_queue import LIMIT_S, Journal, Kits, chosen, options
from bench.speed_verdicts import Item, items
from codemod.base.files.workspace import Workspace
from codemod.experiments.parity.parity_job import planned, result_file
from codemod.judging.evidence.result_files import read_result
from codemod.kits.sources import resolve
from codemod.training.preparation import prepare
from codemod.training.record import read_run_record
from codemod.training.run_spec import RunSpec
from codemod.training.runner import RunRequest, run_once

if TYPE_CHECKING:
    from collections.abc import Iterable

# Percent of a step that the recorder should not exceed.
_AIM = 5
PAGE = Path(__file__).parents[1] / "docs" / "measured" / "verdict-cost.md"


@dataclass(frozen=True, slots=True)
class Cost:
    """One config: seconds of processor time, milliseconds of a step, how many runs were made.

    `load` is the machine's load average when the last of them had ended.
    """

    kit: str
    config: str
    paddle: str
    steps: int
    verdicts: str
    bare_s: float
    parity_s: float
    runs: int
    step_ms: float | None = None
    recorder_ms: float | None = None
    load: float | None = None


def children_s() -> float:
    """Processor time of all processes that this one started and that have ended."""
    times = os.times()
    return times.children_user + times.children_system


def measure(kits: Kits, item: Item, steps: int) -> Cost | str:
    """The cost of one config, or why there is none."""
    kit, config, paddle = item
    place, tree = Workspace.at(kits.workspace), kits.hooked(kit)
    source = resolve(kit, tree, place)
    asked = RunSpec(kit, config, steps, limit_s=LIMIT_S, paddle=paddle, path=tree)
    ready = prepare(asked, source, place)
    folder = place.make("bare") / ready.identity.name
    shutil.rmtree(ready.folder, ignore_errors=True)
    bare = planned(ready, place, source.root, folder)
    began = children_s()
    run = run_once(
        bare.off, RunRequest("bare", "dynamic", steps, light=True), folder, ready.device, LIMIT_S
    )
    middle = children_s()
    if run.outcome != "ok":
        return f"the bare run ended: {run.outcome}"
    said = kits.parity(item, steps, LIMIT_S, "--force")
    ended = children_s()
    if said.returncode not in (0, 1):
        return said.stderr.strip().splitlines()[-1]
    result = read_result(result_file(ready, place))
    trained = read_run_record(ready.folder / "dynamic.jsonl", "ok").steps
    return Cost(
        kit,
        config,
        paddle,
        steps,
        ", ".join(f"{mode} {one.verdict.value}" for mode, one in result.modes.items()),
        round(middle - began, 1),
        round(ended - middle, 1),
        len(list(ready.folder.glob("*.jsonl"))),
        least_ms(step.seconds for step in trained),
        least_ms(step.recorder_seconds for step in trained),
        round(os.getloadavg()[0], 1),
    )


def least_ms(seconds: Iterable[float]) -> float:
    """The first decile, in milliseconds: what the least disturbed tenth of steps took."""
    return round(1000 * statistics.quantiles(seconds, n=10)[0], 3)


def journal(workspace: Path) -> Journal:
    """What was measured in the workspace, a `Cost` a line."""
    return Journal(workspace / "verdict_cost.jsonl")


def table(costs: list[Cost]) -> str:
    """A page with one row a config."""
    columns = ("config", "Paddle", "verdicts", "bare, s", "parity, s", "times bare", "runs", "load")
    head = f"| {' | '.join(columns)} | recorder |\n"
    lines = []
    for one in costs:
        cells = (
            f"{one.kit} `{one.config}`",
            one.paddle,
            one.verdicts,
            f"{one.bare_s:.1f}",
            f"{one.parity_s:.1f}",
            f"{one.parity_s / one.bare_s:.1f}",
            str(one.runs),
            "–" if one.load is None else f"{one.load:.0f}",
            _recorder(one),
        )
        lines.append("| " + " | ".join(cells) + " |\n")
    ratios = [one.parity_s / one.bare_s for one in costs]
    configs = "1 config" if len(costs) == 1 else f"{len(costs)} configs"
    told = f"{configs}, {statistics.median(ratios):.1f} times the bare training (median)"
    above = [one.step_ms for one in costs if one.step_ms and _share(one) > _AIM]
    short = (
        f"\nThe recorder takes more than {_AIM} % in {len(above)} of them, whose steps take "
        f"{min(above):.1f} to {max(above):.1f} ms. What\nit does once a step (a copy of each "
        "gradient, the generators, the batch, a hand-over to its writer) takes 0.1\nto 0.3 ms "
        "however small the net is, which is more than that of a step of a few milliseconds.\n"
        if above
        else ""
    )
    if any(one.recorder_ms is None for one in costs):
        short += (
            "\nA row without the recorder's share was measured before that was taken from the\n"
            "least disturbed steps, with the recorder of then, which took more of a step.\n"
        )
    return (
        "# What a verdict costs\n\nProcessor time of all runs of `codemod parity` over that of one "
        "bare training of as many steps, and the\nrecorder's share of a dynamic step, both of the "
        "least disturbed tenth of its steps. (On a busy\nmachine even these are longer than idle "
        "ones, and the share is smaller; the load is that at the end, where it was noted.)\nMade "
        "by `python -m bench.verdict_cost`.\n\n"
        f"{head}|---|---|---|---|---|---|---|---|---|\n{''.join(lines)}\n{told}.\n{short}"
    )


def _share(cost: Cost) -> float:
    return 100 * cost.recorder_ms / cost.step_ms if cost.recorder_ms and cost.step_ms else 0.0


def _recorder(cost: Cost) -> str:
    """Its share of a step, with the figures that it is made of."""
    if cost.recorder_ms is None or cost.step_ms is None:
        return "–"
    return f"{cost.recorder_ms:.2f} of {cost.step_ms:.1f} ms, {_share(cost):.1f} %"


def main() -> int:
    """Measure what is left, or write the page."""
    parser = options(__doc__)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--write", action="store_true", help="run nothing, write the page")
    asked = parser.parse_args()
    done = [Cost(**line) for line in journal(asked.workspace).lines()]
    if asked.write:
        PAGE.write_text(table(done), encoding="utf-8")
        return 0
    known = {(one.kit, one.config, one.paddle) for one in done}
    waiting = [one for one in items() if one not in known and chosen(asked, one[0], one[2])]
    kits = Kits.of(asked)

    def told(item: Item) -> str:
        found = measure(kits, item, asked.steps)
        if isinstance(found, Cost):
            journal(asked.workspace).note(asdict(found))
        return f"{' '.join(item)}: {found}"

    kits.run(waiting, told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
