"""Parity of every family of the plan in its kit's own trainer, those that cost least first.

usage: python -m bench.queue --workspace DIR [--for MINUTES] [--paddle V]... [--kit NAME]...
                            [--limit SECONDS] [--left | --write]
       codemod evidence add --workspace DIR --to .

The configs are those of `bench/queue.yaml`, with 50 steps, in AST and SOT, all on the newer Paddle
before the older one. What the workspace or the base of evidence has measured on today's code is
left out, so a queue that was stopped goes on where it was. A line is printed for each config. What
each took is kept in the workspace; `--write` puts it into `bench/queue_costs.yaml`, which orders
the next queue. `--left` only lists what is to be done, with its cost.

The kits are those of the workspace; `codemod apply` puts their hooks into copies of them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import yaml

from codemod.judging.evidence.base import parity_results
from codemod.judging.evidence.result_files import PARITY_FOLDER, read_results
from codemod.judging.verdict import Verdict
from codemod.training.inject.parity_recorder.states import STATES
from codemod.training.runner import recorder_version

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from codemod.judging.evidence.result import Result

LIST = Path(__file__).with_suffix(".yaml")
COSTS = LIST.with_name("queue_costs.yaml")
PADDLES = ("3.3.1", "2.6.2")
STEPS = 50
_JOURNAL = "queue.jsonl"
_NO_RESULT = "no result"
# What another environment, or more time, may mend: it is run again.
_OPEN = {Verdict.DYNAMIC_FAILS, Verdict.NOT_RUN}
# Seconds in which a stopped run keeps what it has.
_GRACE_S = 60

Costs = dict[tuple[str, str, str], int]
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


def write_costs(costs: Costs, file: Path = COSTS) -> None:
    """Write the costs, sorted."""
    whole: dict[str, dict[str, dict[str, int]]] = {}
    for (kit, config, paddle), seconds in sorted(costs.items()):
        whole.setdefault(kit, {}).setdefault(config, {})[paddle] = seconds
    head = "# Seconds that `python -m bench.queue` took, on two cores that others used as well.\n"
    file.write_text(head + yaml.safe_dump(whole, width=100), encoding="utf-8")


def journal(workspace: Path) -> Iterator[Done]:
    """What the workspace's queues did."""
    file = workspace / _JOURNAL
    for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
        one = json.loads(line)
        yield Done(Item(*one["item"]), one["told"], one["seconds"])


def _note(workspace: Path, done: Done) -> None:
    one = done.item
    said = {
        "item": (one.kit, one.family, one.config, one.paddle),
        "told": done.told,
        "seconds": done.seconds,
    }
    with (workspace / _JOURNAL).open("a", encoding="utf-8") as file:
        file.write(json.dumps(said) + "\n")


class Queue:
    """Runs what is not known, one config at a time, until a moment (`time.monotonic`)."""

    def __init__(self, workspace: Path, end: float, limit_s: int) -> None:
        self._workspace, self._end, self._limit_s = workspace.absolute(), end, limit_s
        self._hooked: dict[str, Path] = {}

    def known(self, item: Item) -> bool:
        """Whether the workspace or the base measured it with today's recorder and hooks."""
        kept = read_results(self._workspace / PARITY_FOLDER / item.kit).results
        results = [one.result for one in kept] + list(parity_results(item.kit))
        return any(self._good(one, item) for one in results)

    def _good(self, result: Result, item: Item) -> bool:
        part = result.parity
        if part is None or part.interrupted or part.options or _OPEN.intersection(result.verdicts):
            return False
        asked = (result.config, result.paddle, result.device, part.steps)
        if asked != (item.config, item.paddle, "cpu", STEPS):
            return False
        if result.recorder != recorder_version() or not part.hooks:
            return False
        root = self.hooked(item.kit)
        return all(STATES["file"](str(root / path)) == told for path, told in part.hooks.items())

    def take(self, kit: str, checkout: Path) -> None:
        """Take a checkout that has its hooks already."""
        self._hooked[kit] = checkout

    def hooked(self, kit: str) -> Path:
        """A copy of the workspace's checkout of a kit, with the hooks that `apply` writes today."""
        if kit not in self._hooked:
            copy = self._workspace / "hooked" / kit
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(self._workspace / "kits" / kit, copy, symlinks=True)
            said = self.codemod("apply", kit, "--path", str(copy))
            if said.returncode > 1:
                sys.exit(f"{kit} takes no hooks: {said.stderr.strip()}")
            self.take(kit, copy)
        return self._hooked[kit]

    def run(self, item: Item) -> Done | None:
        """Train one config in all modes; None when the queue's time was over before its end."""
        began = time.monotonic()
        words = ["parity", item.kit, "-c", item.config, "--paddle", item.paddle, "--json"]
        words += ["--path", str(self.hooked(item.kit)), "--device", "cpu"]
        words += ["--steps", str(STEPS), "--limit", str(self._limit_s)]
        said = self.codemod(*words)
        if time.monotonic() >= self._end:
            return None
        done = Done(item, told(said), round(time.monotonic() - began))
        _note(self._workspace, done)
        return done

    def codemod(self, *words: str) -> subprocess.CompletedProcess[str]:
        """One command, ended when the queue's time is over; its finished runs are kept."""
        argv = [sys.executable, "-m", "codemod", *words, "--workspace", str(self._workspace)]
        pipe = subprocess.PIPE
        process = subprocess.Popen(argv, stdout=pipe, stderr=pipe, text=True)
        try:
            out, err = process.communicate(timeout=max(1.0, self._end - time.monotonic()))
        except subprocess.TimeoutExpired:
            # Not as by Ctrl-C: what a shell starts in the background does not hear that.
            process.terminate()
            out, err = process.communicate(timeout=_GRACE_S)
        return subprocess.CompletedProcess(argv, process.returncode, out, err)


def told(said: subprocess.CompletedProcess[str]) -> str:
    """The verdict of each mode, or the error or last line that was said instead."""
    try:
        result: dict[str, Any] = json.loads(said.stdout)
    except ValueError:
        last = said.stderr.strip().splitlines()[-1:]
        return f"{_NO_RESULT}: {last[0] if last else said.returncode}"
    if "error" in result:
        return f"{_NO_RESULT}: {result['error']}"
    return ", ".join(f"{mode} {one['verdict']}" for mode, one in result["modes"].items())


def main() -> int:
    """Run the queue; the exit code is 1 if a config gave no result."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--workspace", type=Path, required=True, help="it holds the kits")
    parser.add_argument("--for", type=float, dest="minutes", default=60 * 24, metavar="MINUTES")
    parser.add_argument("--paddle", action="append", choices=PADDLES, help="only this version")
    parser.add_argument("--kit", action="append", help="only this kit")
    parser.add_argument("--limit", type=int, default=900, help="seconds that one training may take")
    parser.add_argument("--left", action="store_true", help="run nothing")
    parser.add_argument("--write", action="store_true", help="put what was measured into the costs")
    asked = parser.parse_args()
    ended = (one for one in journal(asked.workspace) if not one.told.startswith(_NO_RESULT))
    costs = read_costs() | {done.item.key: done.seconds for done in ended}
    if asked.write:
        write_costs(costs)
        return 0
    queue = Queue(asked.workspace, time.monotonic() + 60 * asked.minutes, asked.limit)
    chosen = [
        item
        for item in items()
        if (not asked.kit or item.kit in asked.kit)
        and (not asked.paddle or item.paddle in asked.paddle)
    ]
    waiting = [item for item in ordered(chosen, costs) if not queue.known(item)]
    if asked.left:
        for item in waiting:
            print(f"{item.paddle} {item.kit} {item.family}: {item.config}, {cost(item, costs):g} s")
        return 0
    return _run_all(queue, waiting)


def _run_all(queue: Queue, waiting: list[Item]) -> int:
    failed = 0
    for number, item in enumerate(waiting, 1):
        done = queue.run(item)
        if done is None:
            print(f"time is over, {len(waiting) - number + 1} are left", flush=True)
            break
        failed += done.told.startswith(_NO_RESULT)
        print(
            f"{time.strftime('%H:%M:%S')} {number} of {len(waiting)}: {item.kit} {item.config} "
            f"{item.paddle}: {done.told} ({done.seconds} s)",
            flush=True,
        )
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
