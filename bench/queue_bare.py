"""What one training of each family costs that the queue has not come to yet.

usage: python -m bench.queue_bare --workspace DIR [--for MINUTES] [--paddle V]... [--kit NAME]...
                                  [--write]

Each config that `bench.queue --left` lists without a cost is trained by its kit's own trainer,
dynamic, a few steps. Parity of fifty steps is estimated from that: so many times the start and
fifty steps. A config that cannot be trained so is noted with the reason that the judge gives, which
is why its family has no parity on that Paddle. What was measured is kept in the workspace;
`--write` puts it into `bench/queue_bare.yaml`, from which the queue takes its order.
"""

from __future__ import annotations

import shutil
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from bench.config_queue import LIMIT_S, Journal, Kits, chosen, options
from codemod.base.errors import CodemodError
from codemod.base.files.workspace import Workspace
from codemod.experiments.parity.parity_job import planned
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.ground import dynamic_side
from codemod.kits.sources import resolve
from codemod.training.preparation import prepare
from codemod.training.run_spec import RunSpec
from codemod.training.runner import DYNAMIC, RunRequest, run_once

if TYPE_CHECKING:
    from bench.queue import Item

FILE = Path(__file__).with_suffix(".yaml")
STEPS = 3
# Parity's time over that of its bare training: the median of docs/measured/verdict-cost.md.
TIMES = 16


@dataclass(frozen=True, slots=True)
class Bare:
    """One config on one Paddle: seconds beside the steps, of one step, or why not."""

    kit: str
    config: str
    paddle: str
    start_s: float = 0.0
    step_s: float = 0.0
    ended: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What the queue knows it by."""
        return (self.kit, self.config, self.paddle)

    def parity_s(self, steps: int) -> float:
        """The estimate of parity; infinite where the training does not go."""
        return float("inf") if self.ended else TIMES * (self.start_s + steps * self.step_s)


def measure(kits: Kits, item: Item) -> Bare:
    """Train it."""
    place, tree = Workspace.at(kits.workspace), kits.hooked(item.kit)
    asked = RunSpec(item.kit, item.config, STEPS, limit_s=LIMIT_S, paddle=item.paddle, path=tree)
    try:
        ready = prepare(asked, resolve(item.kit, tree, place), place)
    except CodemodError as error:
        return Bare(*item.key, ended=str(error))
    folder = place.make("bare") / ready.identity.name
    shutil.rmtree(folder, ignore_errors=True)
    command = planned(ready, place, tree, folder).off
    wanted = RunRequest("bare", DYNAMIC, STEPS)
    began = time.monotonic()
    record = run_once(command, wanted, folder, ready.device, LIMIT_S)
    whole_s = time.monotonic() - began
    found = dynamic_side(Comparison("ast", record, record))
    if found is not None:
        return Bare(*item.key, ended=found.reason)
    step_s = min(step.seconds for step in record.steps)
    return Bare(*item.key, round(whole_s - len(record.steps) * step_s, 1), round(step_s, 2))


def read(file: Path = FILE) -> dict[tuple[str, str, str], Bare]:
    """What was measured, by kit, config and Paddle."""
    lines = yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else []
    return {one.key: one for one in (Bare(**line) for line in lines)}


def _journal(workspace: Path) -> Journal:
    return Journal(workspace / "queue_bare.jsonl")


def _write(found: dict[tuple[str, str, str], Bare]) -> None:
    head = "# What `python -m bench.queue_bare` measured, on two cores that others used as well.\n"
    kept = [
        {key: value for key, value in asdict(found[one]).items() if value} for one in sorted(found)
    ]
    FILE.write_text(head + yaml.safe_dump(kept, width=100, sort_keys=False), encoding="utf-8")


def main() -> int:
    """Measure what has no cost."""
    # The queue asks this module for its order.
    from bench.queue import Queue, cost, items, read_costs

    parser = options(__doc__)
    parser.add_argument("--write", action="store_true", help="run nothing, and write the file")
    asked = parser.parse_args()
    noted = [Bare(**line) for line in _journal(asked.workspace).lines()]
    found = read() | {one.key: one for one in noted}
    if asked.write:
        _write(found)
        return 0
    kits, costs = Kits.of(asked), read_costs()
    queue = Queue(kits)
    waiting = [
        item
        for item in items()
        if chosen(asked, item.kit, item.paddle)
        and item.key not in found
        and cost(item, costs) == float("inf")
        and not queue.known(item)
    ]

    def told(item: Item) -> str:
        one = measure(kits, item)
        _journal(asked.workspace).note(asdict(one))
        words = one.ended or f"{one.start_s} s, then {one.step_s} s a step"
        return f"{item.kit} {item.config} {item.paddle}: {words}"

    kits.run(waiting, told)
    return 0


if __name__ == "__main__":
    sys.exit(main())
