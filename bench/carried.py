"""Plant faults that free static training carries on, and see what the whole verdict says of them.

usage: python -m bench.carried --workspace DIR [--seed N] [--paddle V]... [--kit NAME]...
                              [--for MINUTES] [--out FILE]
       python -m bench.carried --table | --write [--out FILE]

`bench.planted` plants in single updates, which all start from the same weights. Here a config is
trained as `codemod parity` trains it, with every run that its verdict asks for, and from one step
on every static update has the same fault: another rate, decay or momentum, what the optimizer
keeps, an average, a part of the loss, draws. It is found where the verdict is a difference that
begins at that step or one of the next two: what an optimizer keeps shows in the update after it,
and that in the gradients of the next. The configs are those of `bench/carried.yaml`; mode and fault
are drawn by the seed. A line a run is kept in `bench/carried.jsonl`; what it holds is not run
again. `--table` prints what it holds and runs nothing, `--write` puts it into
`docs/measured/planted.md`.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import yaml

from bench.config_queue import PADDLES, Journal, Kits, chosen
from bench.fixes import filled_block
from bench.planted import INSIDE, PAGE, WORDS, planting_options, show
from codemod.base.files.workspace import Workspace
from codemod.experiments.parity.experiment import run_experiment
from codemod.experiments.parity.parity_job import planned
from codemod.kits.sources import resolve
from codemod.training.preparation import prepare
from codemod.training.run_spec import RunSpec
from codemod.training.runner import STATIC_MODES, Command

HERE = Path(__file__).resolve().parent
JOURNAL = HERE / "carried.jsonl"
STEPS, FROM = 20, 8
FAULTS = [
    ("rate", 1e-3),
    ("decay", 1e-2),
    ("momentum", 1e-1),
    ("state", 1e-2),
    ("weights", 1e-1),
    ("loss", 1e-2),
    ("draw", 0.0),
    ("frozen-weight", 1e-3),
]
CARRIED = {
    **WORDS,
    "state": "what the optimizer keeps for one weight scaled",
    "weights": "all weights scaled after each update",
}


@dataclass(frozen=True, slots=True)
class Run:
    """One config in one mode on one Paddle, with the fault that it has from `FROM` on."""

    paddle: str
    kit: str
    config: str
    mode: str
    kind: str
    size: float


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the verdict is, at which step and of what; `where` is "" if the fault had no place."""

    run: Run
    where: str
    verdict: str
    step: int | None
    name: str
    seconds: int

    @property
    def found(self) -> bool:
        """Whether the verdict names the step that has it, or one of the two that first show it."""
        return self.verdict.endswith("-differs") and self.step in (FROM, FROM + 1, FROM + 2)


def runs(seed: int) -> list[Run]:
    """Each config on each Paddle; all faults in turn, in an order that the seed draws."""
    listed = yaml.safe_load((HERE / "carried.yaml").read_text(encoding="utf-8"))
    draws = random.Random(seed)
    found: list[Run] = []
    waiting: list[tuple[str, float]] = []
    for paddle in PADDLES:
        for kit, configs in listed.items():
            for config in configs:
                waiting = waiting or draws.sample(FAULTS, len(FAULTS))
                mode = draws.choice(STATIC_MODES)
                found.append(Run(paddle, kit, config, mode, *waiting.pop()))
    return found


def train(run: Run, kits: Kits, workspace: Workspace, limit_s: float) -> Outcome:
    """All runs of a verdict, those in the static mode with the fault."""
    began = time.monotonic()
    hooked = kits.hooked(run.kit)
    asked = RunSpec(
        run.kit,
        run.config,
        STEPS,
        (run.mode,),
        limit_s=limit_s,
        paddle=run.paddle,
        path=hooked,
        # Kept runs do not know the code that plants.
        fresh=True,
    )
    source = resolve(run.kit, hooked, workspace)
    ready = prepare(asked, source, workspace)
    folder = workspace.make("carried") / f"{ready.identity.name}-{run.mode}-{run.kind}"
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / "planted"
    out.unlink(missing_ok=True)
    fault = {"from": FROM, "kind": run.kind, "size": run.size, "seed": 1}
    plan = json.dumps({"out": str(out.resolve()), **fault})

    def faulty(command: Command) -> Command:
        paths = os.pathsep.join(filter(None, (str(INSIDE), command.env.get("PYTHONPATH"))))
        env = {**command.env, "CODEMOD_CARRIED": plan, "PYTHONPATH": paths}
        return replace(command, env=env, watched={})

    wanted = planned(ready, workspace, source.root, folder)
    wanted = replace(wanted, on=faulty(wanted.on), long=faulty(wanted.long or wanted.on))
    judgement = run_experiment(wanted)[run.mode].judgement
    where = (
        json.loads(out.read_text(encoding="utf-8").splitlines()[0])["where"] if out.exists() else ""
    )
    first = judgement.first
    return Outcome(
        run,
        where,
        judgement.verdict.value,
        first.step if first else None,
        str(first.name if first else judgement.reason),
        round(time.monotonic() - began),
    )


def read(out: Path) -> list[Outcome]:
    """What was found up to now."""
    lines = Journal(out).lines()
    return [Outcome(**{**line, "run": Run(**line["run"])}) for line in lines]


def table(outcomes: list[Outcome]) -> str:
    """Markdown: a row a fault, how many were planted and found; then those that were not."""
    planted = [one for one in outcomes if one.where]
    lines = ["| fault in every update from one on | size | found of planted |", "|---|---|---|"]
    for kind, size in FAULTS:
        mine = [one for one in planted if one.run.kind == kind]
        share = f"{sum(one.found for one in mine)} of {len(mine)}" if mine else "–"
        lines.append(f"| {CARRIED[kind]} | {f'{size:g}' if size else ''} | {share} |")
    models = {(one.run.kit, one.run.config) for one in planted}
    lines.append("")
    lines.append(
        f"{len(planted)} runs of {len(models)} models of {len({kit for kit, _ in models})} kits; "
        f"{sum(one.found for one in planted)} faults are found at their step."
    )
    lines.append("")
    lines += [
        f"- not found at its step: {one.run.kit} `{one.run.config}`, {one.run.paddle}, "
        f"{one.run.mode}: {one.run.kind} in {one.where}; {one.verdict}, step {one.step}, {one.name}"
        for one in planted
        if not one.found
    ]
    return "\n".join(lines).rstrip()


def filled(text: str, out: Path = JOURNAL) -> str:
    """The page with its table as the journal is."""
    return filled_block(text, "carried", f"{table(read(out))}\n")


def main() -> int:
    """Plant, and print the table."""
    asked = planting_options(__doc__, JOURNAL).parse_args()
    if asked.table or asked.write:
        show(asked, table(read(asked.out)), PAGE, filled)
        return 0
    kits, workspace = Kits.of(asked), Workspace.at(asked.workspace)
    known = {one.run for one in read(asked.out)}
    waiting = [
        run for run in runs(asked.seed) if run not in known and chosen(asked, run.kit, run.paddle)
    ]

    def planted(run: Run) -> str:
        outcome = train(run, kits, workspace, asked.limit)
        Journal(asked.out).note(asdict(outcome))
        told = "found" if outcome.found else "no place" if not outcome.where else "not found"
        return (
            f"{run.paddle} {run.kit} {run.config} {run.mode} {run.kind}: {told}, "
            f"{outcome.verdict} at {outcome.step} ({outcome.seconds} s)"
        )

    kits.run(waiting, planted)
    print(table(read(asked.out)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
