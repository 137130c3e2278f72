"""Train in AST with the derived spec and without one, in a copy of the tree: count the programs."""

from __future__ import annotations

import dataclasses
import shutil
from typing import Any

from codemod.base.files.workspace import Workspace
from codemod.experiments.observers import observed_by
from codemod.experiments.spec.change import call_changes
from codemod.experiments.spec.spec_result import SpecResult
from codemod.training.launch import commands
from codemod.training.preparation import Prepared
from codemod.training.record import Record
from codemod.training.runner import OnStep, RunRequest, log_tail, run_once

_NAME = "spec-check"
_BARE = "spec-bare"


@dataclasses.dataclass(frozen=True, slots=True)
class Check:
    """Programs traced for `steps` training steps, over `nets` hooked nets.

    A program for evaluation is not counted: Paddle always makes it one of its own. `without` is
    the count of the same run with no spec, None where that run did not end well.

    `outcome` is how the run ended, `fault` the last lines of its log where it did not end well.
    """

    nets: int
    steps: int
    programs: int
    outcome: str
    fault: str = ""
    without: int | None = None

    @property
    def passed(self) -> bool:
        """One program a net."""
        return self.outcome == "ok" and self.steps > 0 and self.programs == self.nets

    def to_json(self) -> dict[str, Any]:
        """The check as one JSON object."""
        return {**dataclasses.asdict(self), "passed": self.passed}


def check(
    ready: Prepared,
    results: tuple[SpecResult, ...],
    workspace: Workspace,
    batches: int,
    cut: bool,
    progress: OnStep | None = None,
) -> Check:
    """Train a pass of `batches` batches and the beginning of a second.

    With `cut` the last batch of the pass is smaller.

    Raises:
        UsageError: the spec cannot be put into the hook's call.
    """
    kinds = {
        _NAME: call_changes(ready.source.root, results, replace=True),
        _BARE: call_changes(ready.source.root, results, replace=True, spec=False),
    }
    scratch = workspace.make("scratch") / f"{ready.identity.kit}-{ready.identity.name[-40:]}"
    shutil.rmtree(scratch, ignore_errors=True)
    # Kits hold links to what a checkout of text files lacks.
    left_out = shutil.ignore_patterns(".git")
    shutil.copytree(ready.source.root, scratch, symlinks=True, ignore=left_out)
    samples = workspace.make("data").resolve()
    short = {"batches": batches, "cut": cut, "evaluates": False, "out": ""}

    def train(name: str, steps: int) -> Record:
        setting = ready.setting(steps, root=scratch)
        command = observed_by("spec_observer", commands(ready.recipe, setting, samples)[1], short)
        wanted = RunRequest(name, "ast", steps, ready.spec.seed, light=True)
        return run_once(command, wanted, setting.folder, ready.device, ready.limit_s, progress)

    fits = all(result.derived.fits for result in results)
    records: dict[str, Record] = {}
    try:
        for name, files in kinds.items():
            for path, data in files.items():
                (scratch / path).write_bytes(data)
            records[name] = train(name, batches + 2)
            if records[name].outcome != "ok" and not fits:
                # A trainer may evaluate after each pass, where this spec raises, as was told.
                records[name] = train(name, batches)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    record, bare = records[_NAME], records[_BARE]
    well = record.outcome == "ok" and record.steps
    fault = "" if well else log_tail(ready.folder, _NAME)
    nets = sum(result.alike for result in results)
    without = _programs(bare) if bare.outcome == "ok" and bare.steps else None
    return Check(nets, len(record.steps), _programs(record), record.outcome, fault, without)


def _programs(record: Record) -> int:
    """The programs that training took."""
    return sum(t["kind"] == "program" and t["training"] is not False for t in record.traces)
