"""Parity of every family of the plan in its kit's own trainer, those that cost least first.

usage: python -m bench.queue --workspace DIR [--for MINUTES] [--paddle V]... [--kit NAME]...
                            [--limit SECONDS] [--steps N] [--left | --bare | --write]
       codemod evidence add --workspace DIR --to .

The configs are those of `bench/queue.yaml`, with 50 steps, in AST and SOT, all on the newer Paddle
before the older one. What the workspace or the base of evidence has measured on today's code is
left out, so a queue that was stopped goes on where it was. A line is printed for each config. What
each took is kept in the workspace; `--write` puts it into `bench/queue_costs.yaml`, which orders
the next queue. `--bare` trains what has no cost yet for three steps, dynamic: its estimate
(`bench/queue_bare.yaml`, written by `--write`, too). `--steps` trains fewer where fifty cannot be
afforded: the rows say how many, and no cost is kept. `--left` only lists what is to be done, with
its cost or with the reason why it cannot be trained.
"""

from __future__ import annotations

import math
import re
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from bench import queue_bare
from bench.config_queue import LIMIT_S, PADDLES, Journal, Kits, chosen, options, told
from codemod.judging.evidence.base import parity_results
from codemod.judging.evidence.result_files import PARITY_FOLDER, read_results
from codemod.judging.verdict import Verdict
from codemod.training.inject.parity_recorder.files.states import STATES
from codemod.training.runner import recorder_version

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterable, Iterator

    from bench.queue_bare import Bare
    from codemod.judging.evidence.result import Result

LIST = Path(__file__).with_suffix(".yaml")
COSTS = LIST.with_name("queue_costs.yaml")
STEPS = 50
_NO_RESULT = "no result"
# What went no further than dynamic training says nothing of what parity takes.
_NO_COST = re.compile(f"^{_NO_RESULT}|{Verdict.DYNAMIC_FAILS.value}")
# What another environment, or more time, may mend: it is run again.
_OPEN = {Verdict.DYNAMIC_FAILS, Verdict.NOT_RUN}

Costs = dict[tuple[str, str, str], float]
"""Seconds by kit, config and Paddle."""


@dataclass(frozen=True, slots=True)
class Item:
    """One config on one Paddle; `family` is the plan's."""

    kit: str
    family: str
    config: str
    paddle: str

    @property
    def key(self) -> tuple[str, str, str]:
        """What it is known by in the costs."""
        return (self.kit, self.config, self.paddle)


@dataclass(frozen=True, slots=True)
class Done:
    """How one went: a verdict a mode or why there is none, and the seconds that all of it took."""

    item: Item
    told: str
    seconds: int


def items(file: Path = LIST) -> list[Item]:
    """All of the list, on each Paddle."""
    whole = yaml.safe_load(file.read_text(encoding="utf-8"))
    return [
        Item(kit, str(entry["family"]), str(entry["config"]), paddle)
        for paddle in PADDLES
        for kit, entries in whole.items()
        for entry in entries
    ]


def ordered(wanted: Iterable[Item], costs: Costs) -> list[Item]:
    """The newer Paddle first, on each the least cost first; what nobody measured comes last.

    A cost on the other Paddle stands for one that is not known.
    """
    return sorted(wanted, key=lambda item: (PADDLES.index(item.paddle), cost(item, costs)))


def cost(item: Item, costs: Costs) -> float:
    """Seconds on its Paddle, else on another one, else infinite."""
    others = [(item.kit, item.config, paddle) for paddle in (item.paddle, *PADDLES)]
    return next((float(costs[key]) for key in others if key in costs), float("inf"))


def read_costs(file: Path = COSTS) -> Costs:
    """The costs on file."""
    whole = yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {
        (kit, config, paddle): seconds
        for kit, configs in (whole or {}).items()
        for config, paddles in configs.items()
        for paddle, seconds in paddles.items()
    }


def estimates(bare: Iterable[Bare]) -> Costs:
    """What parity of each will cost; infinite where its training does not go."""
    return {one.key: one.parity_s(STEPS) for one in bare}


def write_costs(costs: Costs, file: Path = COSTS) -> None:
    """Write the costs, sorted."""
    whole: dict[str, dict[str, dict[str, float]]] = {}
    for (kit, config, paddle), seconds in sorted(costs.items()):
        whole.setdefault(kit, {}).setdefault(config, {})[paddle] = seconds
    head = "# Seconds that `python -m bench.queue` took, on two cores that others used as well.\n"
    file.write_text(head + yaml.safe_dump(whole, width=100), encoding="utf-8")


def journal(workspace: Path) -> Iterator[Done]:
    """What the workspace's queues did."""
    for one in _journal(workspace).lines():
        yield Done(Item(*one["item"]), one["told"], one["seconds"])


def _journal(workspace: Path) -> Journal:
    return Journal(workspace / "queue.jsonl")


class Queue:
    """Runs what is not known, one config at a time."""

    def __init__(self, kits: Kits, limit_s: int = LIMIT_S, steps: int = STEPS) -> None:
        self._kits, self._limit_s, self._steps = kits, limit_s, steps
        self.failed = 0

    def known(self, item: Item) -> bool:
        """Whether the workspace or the base measured it with today's recorder and hooks."""
        kept = read_results(self._kits.workspace / PARITY_FOLDER / item.kit).results
        results = [one.result for one in kept] + list(parity_results(item.kit))
        return any(self._good(one, item) for one in results)

    def _good(self, result: Result, item: Item) -> bool:
        part = result.parity
        if part is None or part.interrupted or part.options or _OPEN.intersection(result.verdicts):
            return False
        asked = (result.config, result.paddle, result.device)
        # A row of the base tells the updates that were seen: with two optimizers more than asked.
        if asked != (item.config, item.paddle, "cpu") or part.steps < self._steps:
            return False
        if result.recorder != recorder_version() or not part.hooks:
            return False
        root = self._kits.hooked(item.kit)
        return all(STATES["file"](str(root / path)) == told for path, told in part.hooks.items())

    def run(self, item: Item) -> str | None:
        """Train one config in all modes and note it; None when the time was over before its end."""
        began = time.monotonic()
        said = self._kits.parity(item.key, self._steps, self._limit_s, "--json")
        if self._kits.over:
            return None
        done = Done(item, verdicts(said), round(time.monotonic() - began))
        one = (item.kit, item.family, item.config, item.paddle)
        line = {"item": one, "told": done.told, "seconds": done.seconds}
        if self._steps >= STEPS:
            _journal(self._kits.workspace).note(line)
        self.failed += done.told.startswith(_NO_RESULT)
        return f"{item.kit} {item.config} {item.paddle}: {done.told} ({done.seconds} s)"


def verdicts(said: subprocess.CompletedProcess[str]) -> str:
    """The verdict of each mode, or the error or last line that was said instead."""
    result = told(said)
    if "error" in result:
        return f"{_NO_RESULT}: {result['error']}"
    return ", ".join(f"{mode} {one['verdict']}" for mode, one in result["modes"].items())


def main() -> int:
    """Run the queue; the exit code is 1 if a config gave no result."""
    parser = options(__doc__)
    parser.add_argument("--limit", type=int, default=LIMIT_S, help="seconds of one training")
    parser.add_argument("--steps", type=int, default=STEPS, help="of each training")
    parser.add_argument("--left", action="store_true", help="run nothing")
    parser.add_argument("--bare", action="store_true", help="only measure what has no cost yet")
    parser.add_argument("--write", action="store_true", help="put what was measured into the costs")
    asked = parser.parse_args()
    ended = (one for one in journal(asked.workspace) if not _NO_COST.search(one.told))
    measured = read_costs() | {done.item.key: done.seconds for done in ended}
    bare = queue_bare.known(asked.workspace)
    if asked.write:
        write_costs(measured)
        queue_bare.write(bare)
        return 0
    costs = estimates(bare.values()) | measured
    kits = Kits.of(asked)
    queue = Queue(kits, asked.limit, asked.steps)
    mine = [item for item in items() if chosen(asked, item.kit, item.paddle)]
    waiting = [item for item in ordered(mine, costs) if not queue.known(item)]
    if asked.left:
        for item in waiting:
            why = bare[item.key].ended if item.key in bare else ""
            told = why or f"{cost(item, costs):.0f} s"
            print(f"{item.paddle} {item.kit} {item.family}: {item.config}, {told}")
        return 0
    if asked.bare:
        unknown = [item for item in waiting if math.isinf(cost(item, costs))]
        kits.run(
            [item for item in unknown if item.key not in bare],
            lambda item: queue_bare.measure(kits, item),
        )
        return 0
    kits.run(waiting, queue.run)
    return int(queue.failed > 0)


if __name__ == "__main__":
    sys.exit(main())
