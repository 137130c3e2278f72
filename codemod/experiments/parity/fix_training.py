"""Proving a fix by the kit's own trainer: as it is, and in a copy with the fix and the hook."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path

from codemod.base.changeset import ChangeSet
from codemod.base.errors import UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.patch.apply import changed_copy, write_changes
from codemod.base.reason import Reason
from codemod.base.terminal.doing import doing
from codemod.engine import plan_change
from codemod.experiments.parity import experiment
from codemod.experiments.parity.parity_job import planned
from codemod.experiments.parity.runs import Runs
from codemod.judging.comparing.same_training import first_deviation
from codemod.judging.evidence.fix_proofs import FOLDER, Dynamic, TrainedProof, by_ends
from codemod.judging.evidence.result_files import now
from codemod.judging.evidence.rows import short_reason
from codemod.training.preparation import prepare
from codemod.training.record import Record
from codemod.training.run_spec import RunSpec
from codemod.training.runner import DYNAMIC, OnStep, RunRequest


def train_fix(
    change: ChangeSet, spec: RunSpec, workspace: Workspace, progress: OnStep | None = None
) -> TrainedProof:
    """Train the tree as it is with the switch off, and a copy with fix and hook in every mode.

    Records and logs stay in the workspace, `runs/<Kit>/fix-<run>`.

    Raises:
        UsageError: there is no such config, recipe or Paddle, or the recipe says why the config
            cannot be trained.
    """
    source = change.source
    ready = prepare(spec, source, workspace)
    if ready.recipe.why_not:
        raise UsageError(f"{spec.config} cannot be trained here: {ready.recipe.why_not}.")
    base = workspace.make(FOLDER, source.name)
    runs = ready.folder.with_name(f"fix-{ready.folder.name}")
    for side in ("before", "after"):
        (runs / side).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=base) as scratch:
        mended = replace(source, root=changed_copy(change, Path(scratch) / "tree"))
        doing("Placing the hooks behind the fix")
        write_changes(plan_change(mended).change_set(), mended.root)
        plain = Runs(planned(ready, workspace, source.root, runs / "before"), progress)
        (before,) = plain.make([RunRequest(DYNAMIC, DYNAMIC)])
        both = planned(ready, workspace, mended.root, runs / "after")
        judged = experiment.run_experiment(both, progress)
    after = next(iter(judged.values())).comparison.dynamic
    dynamic, why = _dynamic(before, after)
    return TrainedProof(
        dynamic=dynamic,
        modes={mode: one.judgement.verdict for mode, one in judged.items()},
        steps=spec.steps,
        reason=str(why or ""),
        why=why,
        left={
            mode: short_reason(one.judgement.reason)
            for mode, one in judged.items()
            if not one.judgement.verdict.passed
        },
        date=now(),
    )


def _dynamic(before: Record, after: Record) -> tuple[Dynamic, Reason | None]:
    """What became of dynamic training, and why it is not equal."""
    if ended := by_ends(before.outcome, after.outcome):
        if before.outcome == "ok":
            return ended, Reason.of("experiments.dynamic-ended", how=after.outcome)
        return ended, Reason.of("experiments.dynamic-ended-before", how=before.outcome)
    found = first_deviation(before, after)
    return (Dynamic.EQUAL if found is None else Dynamic.DIFFERS), found
