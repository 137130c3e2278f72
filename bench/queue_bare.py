"""What one training of each family costs that the queue has not come to yet.

Trained by its kit's own trainer, dynamic, a few steps. Parity of fifty steps is estimated from
that: so many times the start and fifty steps. A config that cannot be trained so is noted with the
reason that the judge gives, which is why its family has no parity on that Paddle; a training that
was ended from outside, or by the time limit, says nothing and is not noted.
"""

from __future__ import annotations

import shutil
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from bench.config_queue import LIMIT_S, Journal, Kits
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
_OUTSIDE = ("timeout", "killed")


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


def measure(kits: Kits, item: Item) -> str:
    """Train it, note what it took or why it ended, and say so."""
    one = _trained(kits, item)
    if one.ended not in _OUTSIDE:
        journal(kits.workspace).note(asdict(one))
    words = one.ended or f"{one.start_s} s, then {one.step_s} s a step"
    return f"{item.kit} {item.config} {item.paddle}: {words}"


def _trained(kits: Kits, item: Item) -> Bare:
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
    if record.outcome in _OUTSIDE:
        return Bare(*item.key, ended=record.outcome)
    found = dynamic_side(Comparison("ast", record, record))
    if found is not None:
        return Bare(*item.key, ended=found.reason)
    step_s = min(step.seconds for step in record.steps)
    return Bare(*item.key, round(whole_s - len(record.steps) * step_s, 1), round(step_s, 2))


def read(file: Path = FILE) -> dict[tuple[str, str, str], Bare]:
    """What was measured, by kit, config and Paddle."""
    lines = yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else []
    return {one.key: one for one in (Bare(**line) for line in lines)}


def journal(workspace: Path) -> Journal:
    """What was measured in the workspace, a `Bare` a line."""
    return Journal(workspace / "queue_bare.jsonl")


def known(workspace: Path) -> dict[tuple[str, str, str], Bare]:
    """What is on file, and what the workspace adds to it."""
    noted = (Bare(**line) for line in journal(workspace).lines())
    return read() | {one.key: one for one in noted}


def write(found: dict[tuple[str, str, str], Bare]) -> None:
    """Put all of it on file."""
    head = "# What `bench.queue --bare` measured, on two cores that others used as well.\n"
    kept = [
        {key: value for key, value in asdict(found[one]).items() if value} for one in sorted(found)
    ]
    FILE.write_text(head + yaml.safe_dump(kept, width=100, sort_keys=False), encoding="utf-8")
