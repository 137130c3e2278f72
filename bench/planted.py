"""Plant faults that only static training has in kits' models, and count what the judge finds.

usage: KITS=DIR python -m bench.planted [--paddle V] [--kit NAME] [--rounds N] [--out FILE]
       python -m bench.planted --table [--out FILE]

DIR holds a checkout of each kit, named as the kit; the models are those of `bench/planted.yaml`.
For each fault a model is trained four steps from weights of its own seed: dynamic, static without
the fault, static with it, and the control runs that `codemod probe` would make. A round plants
every kind and size once in each kit. What FILE holds already is not run again; `--table` runs
nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
from collections import defaultdict
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from codemod.base.json_form import to_json
from codemod.experiments.probe.models import list_models
from codemod.experiments.probe.server import Server
from codemod.judging import thresholds
from codemod.judging.comparison import Comparison
from codemod.judging.judge import judge, wants_controls
from codemod.kits.folder import ADAPTER, kit_file
from codemod.training.environments import EnvSpec, ensure
from codemod.training.recipes import read_recipe
from codemod.training.record import read_record
from codemod.training.runner import outcome_of
from codemod.training.samples import generate

if TYPE_CHECKING:
    from collections.abc import Iterator

    from codemod.experiments.probe.models import Model
    from codemod.judging.verdict import Judgement
    from codemod.training.record import Record

HERE = Path(__file__).resolve().parent
STEPS = 4
LIMIT_S = 120.0
# Kind of fault and its sizes, 0 where it has none. `bench/planted_adapter.py` carries it out.
FAULTS = [
    ("gradient", (1e-3, 1e-4, 1e-5, 1e-6)),
    ("missing", (0.0,)),
    ("frozen-draw", (0.0,)),
    ("norm-momentum", (1e-1, 1e-2, 1e-3)),
    ("momentum", (1e-1, 1e-2, 1e-3)),
    ("stale-buffer", (0.0,)),
    ("batch-order", (0.0,)),
    ("learning-rate", (1e-3, 1e-6)),
    ("rate-of-one", (1e-1, 1e-3)),
    ("skipped-step", (0.0,)),
    ("weight-decay", (1e-2, 1e-4)),
    ("loss-scale", (1e-3, 1e-4, 1e-5, 1e-6)),
]
WORDS = {
    "gradient": "a gradient off by so much of its own norm, in one layer",
    "missing": "a missing gradient",
    "frozen-draw": "a random draw that stays the same",
    "norm-momentum": "another momentum of a batch norm (0.9 less so much)",
    "momentum": "another momentum of the optimizer (0.9 less so much)",
    "stale-buffer": "a running mean that stays the same",
    "batch-order": "two batches in another order",
    "learning-rate": "another learning rate, so much higher",
    "rate-of-one": "another learning rate of one layer, so much higher",
    "skipped-step": "one update left out",
    "weight-decay": "weight decay of so much on a bias",
    "loss-scale": "a loss scaled by one and so much",
}
OF_NORMS = ("norm-momentum", "stale-buffer")
# Their adapters feed what the kit's reader gives next, so that there is no order to exchange.
READERS = ("PaddleRec", "PaddleDetection")


@dataclass(frozen=True, slots=True)
class Planted:
    """One fault. `clean` is the verdict without it, `found` the one with it."""

    number: int
    paddle: str
    kit: str
    model: str
    mode: str
    kind: str
    size: float
    place: str
    clean: str
    found: str
    first: dict[str, Any] = field(default_factory=dict)
    reason: str = ""


class Runner:
    """Runs one kit's models through a probe server with the adapter that plants faults."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._references: dict[str, dict[str, Any]] = {}

    def plant(self, number: int, model: Model, mode: str, kind: str, size: float) -> dict[str, Any]:
        """The fields of `Planted` that running gives; empty where the model has no such place."""
        attempt = self._attempt(model)
        if not attempt:
            return {}
        shared = {**attempt, "draws": kind == "frozen-draw"}
        dynamic = self._run(model, shared, "dynamic", number)
        place = choose(dynamic, kind, random.Random(number))
        if place is None:
            return {}
        name, index = place
        controls: dict[str, Record] = {}

        def judged(attempt: dict[str, Any]) -> Judgement:
            case = Comparison(mode, dynamic, self._run(model, attempt, mode, number))
            if wants_controls(case):
                for label, nudge in (("repeat", False), ("ulp", True)):
                    if label not in controls:
                        controls[label] = self._run(model, shared, "dynamic", number, nudge)
                case = Comparison(mode, dynamic, case.static, controls["repeat"], controls["ulp"])
            return judge(case)

        fault = {"kind": kind, "size": size, "index": index}
        clean, faulty = judged(shared), judged({**shared, "fault": fault})
        return {
            "place": name,
            "clean": clean.verdict.value,
            "found": faulty.verdict.value,
            "first": to_json(faulty.first) if faulty.first else {},
            "reason": f"{clean.reason} | {faulty.reason}",
        }

    def _attempt(self, model: Model) -> dict[str, Any]:
        """The first attempt that runs and has a gradient, as a probe would take it."""
        if model.config not in self._references:
            self._references[model.config] = {}
            for attempt in model.attempts:
                ran = self._run(model, attempt, "dynamic", 0)
                if ran.outcome == "ok" and max(s.grad_norm for s in ran.steps) > 0:
                    self._references[model.config] = attempt
                    break
        return self._references[model.config]

    def _run(
        self, model: Model, attempt: dict[str, Any], mode: str, seed: int, nudge: bool = False
    ) -> Record:
        out, log = self._server.folder / "run.jsonl", self._server.folder / "run.log"
        answer = self._server.ask(
            "train",
            out,
            log,
            LIMIT_S,
            config=model.config,
            attempt=attempt,
            mode=mode,
            steps=STEPS,
            seed=seed,
            nudge=nudge,
            memory_mb=0,
        )
        return read_record(out, outcome_of(answer.code, answer.timed_out, out, log))


def choose(dynamic: Record, kind: str, draw: random.Random) -> tuple[str, int] | None:
    """Name and number of the parameter or batch norm that gets the fault; None where none fits."""
    if dynamic.outcome != "ok" or not dynamic.steps:
        return None
    first = dynamic.steps[0]
    if kind in OF_NORMS:
        found = [(n, i) for i, n in enumerate(n for n in first.buffers if n.endswith("._mean"))]
        return draw.choice(found) if found else None
    names = list(dynamic.params[0]["shapes"])
    # The gradient of a bias before a norm is zero but for rounding: no fault can be planted there.
    least = thresholds.ZERO_SHARE * first.grad_norm
    real = [(n, i) for i, n in enumerate(names) if first.grads[n].norm > least]
    if kind == "weight-decay":
        real = [(n, i) for n, i in real if n.endswith("bias")]
    return draw.choice(real) if real else None


def faults() -> list[tuple[str, float]]:
    """Every kind with each of its sizes."""
    return [(kind, size) for kind, sizes in FAULTS for size in sizes]


def work(
    kits: Path, paddle: str, kit: str, rounds: int, known: set[tuple[Any, ...]]
) -> Iterator[Planted]:
    """All faults of one kit that are not known yet, as they are found."""
    configs = yaml.safe_load((HERE / "planted.yaml").read_text())[paddle][kit]
    recipe = read_recipe(kit, "")
    adapter = kit_file(kit, ADAPTER)
    if adapter is None:
        sys.exit(f"{kit} has no adapter.")
    python = ensure(EnvSpec(paddle, recipe.python, recipe.requirements))
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        data = {}
        if recipe.data:
            made = generate(recipe.data, kit, folder / "data", recipe.count, recipe.size, 0)
            data[recipe.data] = str(made)
        env = {**recipe.env, "CODEMOD_PLANTED_ADAPTER": str(adapter.resolve())}
        inside = HERE / "planted_adapter.py"
        with Server(python, (kits / kit).resolve(), inside, folder / "log", data, env) as server:
            listed = list_models(server, configs).models
            models = sorted(listed, key=lambda model: configs.index(model.config))
            runner = Runner(server)
            for number in range(rounds * len(faults())):
                kind, size = faults()[number % len(faults())]
                mode = ("ast", "sot")[number % 2]
                fed_by_reader = kind == "batch-order" and kit in READERS
                if (paddle, kit, number) in known or fed_by_reader:
                    continue
                for turn in range(len(models)):
                    model = models[(number + turn) % len(models)]
                    fields = runner.plant(number, model, mode, kind, size)
                    if fields:
                        yield Planted(number, paddle, kit, model.name, mode, kind, size, **fields)
                        break


def read(out: Path) -> list[Planted]:
    """What was found up to now."""
    if not out.is_file():
        return []
    return [Planted(**json.loads(line)) for line in out.read_text().splitlines()]


def table(found: list[Planted]) -> str:
    """Kind by size: planted and found, where the clean run was equal to the bit and where not."""
    sound = [one for one in found if one.clean.startswith("pass")]
    rows: dict[tuple[str, float], list[Planted]] = defaultdict(list)
    for one in sound:
        rows[one.kind, one.size].append(one)
    lines = [
        "| fault | size | bit-equal when clean | within rounding when clean |",
        "|---|---|---|---|",
    ]
    for kind, size in faults():
        cells = []
        for exact in (True, False):
            these = [o for o in rows[kind, size] if (o.clean != "pass-tolerance") is exact]
            hits = sum(not one.found.startswith("pass") for one in these)
            cells.append(f"{hits} of {len(these)}" if these else "–")
        lines.append(f"| {WORDS[kind]} | {f'{size:g}' if size else ''} | {' | '.join(cells)} |")
    models = {(one.paddle, one.kit, one.model) for one in sound}
    hits = sum(not one.found.startswith("pass") for one in sound)
    alarms = [one for one in found if not one.clean.startswith("pass")]
    kits = {one.kit for one in sound}
    lines.append("")
    lines.append(
        f"{len(sound)} faults in {len(models)} models of {len(kits)} kits, {hits} found; "
        f"{len(found)} clean static runs beside them, {len(sound)} passed."
    )
    named = sorted({(one.paddle, one.kit, one.model, one.mode, one.clean) for one in alarms})
    lines += [f"- not passed when clean: {' '.join(words)}" for words in named]
    return "\n".join(lines)


def main() -> int:
    """Plant, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--paddle", help="only this version")
    parser.add_argument("--kit", help="only this kit")
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("planted.jsonl"))
    parser.add_argument("--table", action="store_true", help="run nothing")
    args = parser.parse_args()
    if not args.table:
        kits = Path(os.environ.get("KITS", ""))
        if not os.environ.get("KITS") or not kits.is_dir():
            parser.error("KITS must name a folder of checkouts")
        known = {(one.paddle, one.kit, one.number) for one in read(args.out)}
        for paddle, listed in yaml.safe_load((HERE / "planted.yaml").read_text()).items():
            for kit in listed:
                if args.paddle in (None, paddle) and args.kit in (None, kit):
                    for one in work(kits, paddle, kit, args.rounds, known):
                        with args.out.open("a", encoding="utf-8") as file:
                            file.write(json.dumps(asdict(one)) + "\n")
                        print(
                            f"{paddle} {kit} {one.model} {one.mode} {one.kind} {one.size:g}: "
                            f"{one.clean} -> {one.found}",
                            file=sys.stderr,
                        )
    print(table(read(args.out)))
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
