"""Plant faults that only static training has in kits' own trainers, and count what the judge finds.

usage: python -m bench.planted --workspace DIR [--seed N] [--paddle V]... [--kit NAME]...
                              [--mode M]... [--for MINUTES] [--out FILE]
       python -m bench.planted --table | --write [--out FILE]

The configs are those of `bench/planted.yaml`, the kits those of the workspace, with the hooks that
`codemod apply` writes. Each config is trained for fifty steps as `codemod parity` trains it where
bits differ: all sides from the same weights at every update, in float32 and in float64. In half of
the updates, drawn by the seed, the static side has a fault (`bench/planted_inside`). Pairs of sides
are independent, so the judge is asked about each fault with the run's clean updates taken out of
its sight, and about the clean updates with the faults taken out. What FILE holds is not run again:
it is `bench/planted.jsonl`, a line a run, unless another one is named.
`--table` prints what it holds and runs nothing, `--write` puts it into `docs/measured/planted.md`.
Below it stand the trainings of the base of evidence, which have no planted fault: how many of them
are judged to differ, each with what is known of it.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from collections import defaultdict
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from bench.config_queue import LIMIT_S, PADDLES, Journal, Kits, chosen, options
from bench.failing import UNKNOWN, reason_of
from bench.fixes import filled_block
from codemod.base.files.workspace import Workspace
from codemod.experiments.parity.parity_job import planned
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.lockstep import STATIC, SideRun
from codemod.judging.evidence.base import files, read_file
from codemod.judging.rounding.lockstep_findings import finding
from codemod.judging.rounding.resolution import resolution
from codemod.judging.rounding.rounding import allowing, backed
from codemod.judging.rounding.truth import truth
from codemod.kits.sources import resolve
from codemod.training.preparation import prepare
from codemod.training.run_spec import RunSpec
from codemod.training.runner import STATIC_MODES, RunRequest, run_once
from codemod.training.sides import DOUBLE_SIDES, SIDES

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator

    from codemod.training.record import Record

HERE = Path(__file__).resolve().parent
INSIDE = HERE / "planted_inside"
PAGE = HERE.parent / "docs" / "measured" / "planted.md"
JOURNAL = HERE / "planted.jsonl"
# On the page what the journal holds stands between these; earlier runs below it stay.
STEPS = 50
# What is said of clean updates that pass: within rounding, or equal to the bit.
PASS, EQUAL = "pass", "pass, equal to the bit"
# Updates that always have a fault: the first, one in the middle, a late one.
ALWAYS = (0, 20, 45)
# Kind of fault and its sizes, 0 where it has none; `planted_inside/planted_faults.py` has them all.
FAULTS = [
    ("gradient", (1e-3, 1e-6, 1e-9)),
    ("scale", (1e-3, 1e-6, 1e-9)),
    ("row", (1e-3, 1e-6, 1e-9)),
    ("sign", (0.0,)),
    ("missing", (0.0,)),
    ("loss", (1e-3, 1e-6)),
    ("left-out", (0.0,)),
    ("rate", (1e-3, 1e-6)),
    ("rate-of-one", (1e-3, 1e-6)),
    ("decay", (1e-2, 1e-4)),
    ("clipping", (1e-1, 1e-3)),
    ("momentum", (1e-1, 1e-3)),
    ("stale-buffer", (0.0,)),
    ("buffer", (1e-3, 1e-6)),
    ("draw", (0.0,)),
    ("frozen-weight", (1e-3, 1e-6)),
]
WORDS = {
    "gradient": "one gradient turned by so much of its norm",
    "scale": "one gradient scaled",
    "row": "one row of a gradient",
    "sign": "one sign in a gradient",
    "missing": "a missing gradient",
    "loss": "the loss and all its gradients scaled",
    "left-out": "one update left out",
    "rate": "another learning rate",
    "rate-of-one": "another learning rate of one weight",
    "decay": "weight decay of so much on a bias",
    "clipping": "gradients clipped by so much",
    "momentum": "another momentum of the optimizer",
    "stale-buffer": "a buffer that stays the same",
    "buffer": "a buffer scaled",
    "draw": "a random draw too many",
    "frozen-weight": "a weight without an optimizer scaled",
}


@dataclass(frozen=True, slots=True)
class Run:
    """One config in one mode on one Paddle, whose faults one seed drew."""

    paddle: str
    kit: str
    config: str
    mode: str
    seed: int


@dataclass(frozen=True, slots=True)
class Planted:
    """One fault, and where it was planted; `found` is what the judge says, "" for nothing."""

    pair: int
    kind: str
    size: float
    where: str
    found: str


@dataclass(frozen=True, slots=True)
class Outcome:
    """A run's faults, and what the judge said of its clean updates: pass, blamed or unjudged."""

    run: Run
    clean: str
    faults: tuple[Planted, ...] = ()
    seconds: int = 0


def runs(seed: int) -> list[Run]:
    """All of the list, on each Paddle and in each mode."""
    listed = yaml.safe_load((HERE / "planted.yaml").read_text(encoding="utf-8"))
    return [
        Run(paddle, kit, config, mode, seed)
        for paddle in PADDLES
        for kit, configs in listed.items()
        for config in configs
        for mode in STATIC_MODES
    ]


def drawn(run: Run) -> list[tuple[int, int, str, float, int]]:
    """The faults of a run: pair, place in the visit, kind, size, and the seed of its own draws."""
    draws = random.Random(repr(run))
    rest = [pair for pair in range(STEPS) if pair not in ALWAYS]
    pairs = sorted([*ALWAYS, *draws.sample(rest, STEPS // 2 - len(ALWAYS))])
    kinds = [(kind, size) for kind, sizes in FAULTS for size in sizes]
    # As many kinds as there are pairs, each about as often over all runs.
    chosen = draws.sample(kinds, len(pairs))
    return [
        (pair, 0, *fault, draws.getrandbits(31)) for pair, fault in zip(pairs, chosen, strict=True)
    ]


def train(run: Run, kits: Kits, workspace: Workspace, limit_s: float) -> Outcome:
    """Train in both precisions with the faults, and judge each."""
    began = time.monotonic()
    hooked = kits.hooked(run.kit)
    asked = RunSpec(
        run.kit, run.config, STEPS, (run.mode,), limit_s=limit_s, paddle=run.paddle, path=hooked
    )
    source = resolve(run.kit, hooked, workspace)
    ready = prepare(asked, source, workspace)
    folder = workspace.make("planted") / f"{ready.identity.name}-{run.mode}-{run.seed}"
    folder.mkdir(parents=True, exist_ok=True)
    wanted = planned(ready, workspace, source.root, folder)
    single = RunRequest(
        run.mode, run.mode, STEPS, sides=SIDES, truth=str((folder / "truth").resolve())
    )
    double = replace(single, name=f"{run.mode}-double", sides=DOUBLE_SIDES, double=True)
    faults = drawn(run)

    def made(one: RunRequest) -> Record:
        out = folder / f"{one.name}.plants"
        out.unlink(missing_ok=True)
        plan = json.dumps({"out": str(out.resolve()), "faults": faults})
        command = wanted.long or wanted.on
        paths = os.pathsep.join(filter(None, (str(INSIDE), command.env.get("PYTHONPATH"))))
        env = {**command.env, "CODEMOD_PLANTS": plan, "PYTHONPATH": paths}
        command = replace(command, env=env, watched={})
        return run_once(command, one, folder, ready.device, limit_s)

    records = made(single), made(double)
    clean, found = judged(run.mode, *records, list(_planted(folder)))
    return Outcome(run, clean, tuple(found), round(time.monotonic() - began))


def _planted(folder: Path) -> Iterator[dict[str, Any]]:
    """The faults that had a place in either precision, once each."""
    known = set()
    for file in sorted(folder.glob("*.plants")):
        for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
            if line["where"] and line["pair"] not in known:
                known.add(line["pair"])
                yield line


def judged(
    mode: str, single: Record, double: Record, faults: list[dict[str, Any]]
) -> tuple[str, list[Planted]]:
    """What the judge says of the clean updates, and of each fault."""
    pairs = {fault["pair"] for fault in faults}
    records = [_static_only(record, lambda pair: pair not in pairs) for record in (double, single)]
    clean = Comparison(mode, single, single, lockstep=records[1], lockstep_double=records[0])
    if clean.single is not None and not any(_parts(records[1])):
        return EQUAL, [
            Planted(**fault, found="not equal to the bit")
            for fault in faults
            # In float32 a millionth of an update may not be there at all: then nothing is planted.
            if any(_parts(_static_only(single, fault["pair"].__eq__)))
        ]
    # What the code's constants excuse is a matter of all updates.
    sides = [allowing(run) for run in backed(clean.double, clean.single)]
    if not sides:
        return f"unjudged: {single.outcome} in float32, {double.outcome} in float64", []
    said = _verdict(sides, double, lambda pair: pair not in pairs)
    stands = resolution(sides[0]).stands
    told = f"blamed: {said}" if said else PASS if stands else "unjudged: its resolution"
    found = []
    for fault in faults:
        alone = [replace(run, record=double if run.double else single) for run in sides]
        said = _verdict(alone, double, fault["pair"].__eq__)
        found.append(Planted(**fault, found=said))
    return told, found


def _parts(record: Record) -> Iterator[bool]:
    """Of each static update whether anything is not as in dynamic training, to the bit."""
    run = SideRun(record)
    for one, turn in run.turns(STATIC):
        yield any((turn.grads, turn.updates, turn.buffers))
        yield (one.losses, one.lr, one.random) != (turn.losses, turn.lr, turn.random)


def _verdict(sides: list[SideRun], double: Record, keep: Callable[[int], bool]) -> str:
    """The first difference that the judge finds in some of the static updates; "" for none."""
    for run in sides:
        found = finding(replace(run, record=_static_only(run.record, keep)))
        if found is not None:
            return f"{found.verdict.value} in float{64 if run.double else 32}: {found.first.name}"
    further = truth(_static_only(double, keep))
    if further is not None and further.finding is not None:
        return f"{further.finding.verdict.value} by its distance from float64"
    return ""


def _static_only(record: Record, keep: Callable[[int], bool]) -> Record:
    """The record with the static side's updates of some pairs alone."""
    return replace(
        record,
        turns=tuple(one for one in record.turns if one.side != STATIC or keep(one.pair)),
        visits=tuple(one for one in record.visits if one.side != STATIC or keep(one.pair)),
        truths=tuple(one for one in record.truths if keep(int(one["pair"]))),
    )


def read(out: Path) -> list[Outcome]:
    """What was found up to now."""
    return [_outcome(line) for line in Journal(out).lines()]


def _outcome(raw: dict[str, Any]) -> Outcome:
    faults = tuple(Planted(**one) for one in raw.pop("faults"))
    return Outcome(run=Run(**raw.pop("run")), faults=faults, **raw)


def table(outcomes: list[Outcome]) -> str:
    """Kind by size, planted and found; then the clean runs, and each fault that was missed."""
    judged_ones = [one for one in outcomes if one.clean in (PASS, EQUAL)]
    rows: dict[tuple[str, float], list[bool]] = defaultdict(list)
    for fault in (fault for one in outcomes for fault in one.faults):
        rows[fault.kind, fault.size].append(bool(fault.found))
    lines = ["| fault | size | found of planted |", "|---|---|---|"]
    for kind, sizes in FAULTS:
        for size in sizes:
            hits = rows[kind, size]
            share = f"{sum(hits)} of {len(hits)}" if hits else "–"
            lines.append(f"| {WORDS[kind]} | {f'{size:g}' if size else ''} | {share} |")
    large = [hit for (_, size), hits in rows.items() if not 0 < size < 1e-6 for hit in hits]
    models = {(one.run.kit, one.run.config) for one in judged_ones}
    lines.append("")
    lines.append(
        f"{len(outcomes)} runs of {len(models)} models of {len({kit for kit, _ in models})} kits; "
        f"without the faults {len(judged_ones)} pass "
        f"({sum(one.clean == EQUAL for one in outcomes)} equal to the bit), "
        f"{sum(one.clean.startswith('blamed') for one in outcomes)} are blamed. "
        f"Of {len(large)} faults of 1e-6 and above {sum(large)} are found."
    )
    lines.append("")
    for one in outcomes:
        told = f"{one.run.kit} `{one.run.config}`, {one.run.paddle}, {one.run.mode}"
        if one not in judged_ones:
            lines.append(f"- not passed without faults: {told}: {one.clean}")
        for fault in one.faults:
            if not fault.found:
                by = f" of {fault.size:g}" if fault.size else ""
                lines.append(f"- missed: {told}: {fault.kind}{by} in {fault.where}")
    return "\n".join(lines)


def clean_runs() -> str:
    """Trainings on record, in a static mode and without a planted fault, by what was judged."""
    rows = [
        row
        for file in files()
        for row in read_file(file).rows
        if row.kind == "parity" and (row.verdict.passed or row.verdict.differs)
    ]
    blamed = [row for row in rows if row.verdict.differs]
    models, kits = {(row.kit, row.config) for row in rows}, {row.kit for row in rows}
    told = f"{len(rows)} trainings of {len(models)} configs of {len(kits)} kits: "
    told += f"{len(rows) - len(blamed)} pass, {len(blamed)} are judged to differ:"
    lines = [told, ""]
    for row in blamed:
        why = reason_of(row.kit, row.config, row.paddle) or UNKNOWN
        lines.append(f"- {row.kit} `{row.config}`, {row.paddle}, {row.mode}: {why}")
    return "\n".join(lines)


def filled(text: str, out: Path = JOURNAL) -> str:
    """The page with its tables as the journal and the base are."""
    return filled_block(
        filled_block(text, "runs", f"{table(read(out))}\n"), "clean", clean_runs() + "\n"
    )


def planting_options(doc: str | None, journal: Path) -> argparse.ArgumentParser:
    """The options of a bench that plants."""
    parser = options(doc)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=float, default=LIMIT_S, help="seconds of one training")
    parser.add_argument("--out", type=Path, default=journal)
    parser.add_argument("--table", action="store_true", help="run nothing")
    parser.add_argument("--write", action="store_true", help="run nothing, and write the page")
    return parser


def show(
    asked: argparse.Namespace, told: str, page: Path, fill: Callable[[str, Path], str]
) -> None:
    """Print what the journal holds, and with `--write` fill the page."""
    print(told)
    if asked.write:
        page.write_text(fill(page.read_text(encoding="utf-8"), asked.out), encoding="utf-8")


def main() -> int:
    """Plant, and print the table."""
    parser = planting_options(__doc__, JOURNAL)
    parser.add_argument("--mode", action="append", choices=STATIC_MODES, help="only this mode")
    asked = parser.parse_args()
    if asked.table or asked.write:
        show(asked, f"{table(read(asked.out))}\n\n{clean_runs()}", PAGE, filled)
        return 0
    kits, workspace = Kits.of(asked), Workspace.at(asked.workspace)
    known = {one.run for one in read(asked.out)}
    waiting = [
        run
        for run in runs(asked.seed)
        if run not in known
        and chosen(asked, run.kit, run.paddle)
        and run.mode in (asked.mode or STATIC_MODES)
    ]

    def planted(run: Run) -> str:
        outcome = train(run, kits, workspace, asked.limit)
        Journal(asked.out).note(asdict(outcome))
        hits = sum(bool(fault.found) for fault in outcome.faults)
        return (
            f"{run.paddle} {run.kit} {run.config} {run.mode}: {outcome.clean}, "
            f"{hits} of {len(outcome.faults)} found ({outcome.seconds} s)"
        )

    kits.run(waiting, planted)
    print(table(read(asked.out)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
