"""Proving a fix: the kit's tree and a copy with the fix are probed, and their records compared."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from codemod.base.errors import UsageError
from codemod.base.patch.changed_copy import changed_copy
from codemod.experiments.probe.equipment import Equipment, equipment_of
from codemod.experiments.probe.models import Model, list_models
from codemod.experiments.probe.probe_job import scratch_folder
from codemod.experiments.probe.probing import STEPS, Probed, Prober
from codemod.judging.evidence.fix_proofs import FOLDER, Dynamic, FixProof
from codemod.judging.evidence.result_files import now
from codemod.judging.evidence.rows import short_reason
from codemod.judging.same_training import first_deviation
from codemod.training.runner import recorder_version

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.base.changeset import ChangeSet
    from codemod.base.workspace import Workspace
    from codemod.experiments.probe.request import ProbeRequest


@dataclass(frozen=True, slots=True)
class ToProve:
    """What is to be proved: these fixes, of this config, change the tree like this.

    `ground` is as in `FixProof`.
    """

    config: str
    fixes: tuple[str, ...]
    change: ChangeSet
    ground: str


def prove(claim: ToProve, asked: ProbeRequest, workspace: Workspace) -> FixProof:
    """Probe the config in the tree as it is and in a copy with the change.

    Of `asked`, the configs, the count and the jobs are not looked at.

    Raises:
        UsageError: the kit cannot be probed, or the config names no model.
    """
    source = claim.change.source
    kit = source.kit or source.root.name
    equipment = equipment_of(kit, workspace, asked.paddle, asked.python, asked.adapter)
    base = workspace.make(FOLDER, kit)
    with scratch_folder(base) as scratch:
        copy = changed_copy(claim.change, scratch / "tree")
        made_of = (equipment, claim.config, asked)
        paddle, adapter, model, before = _probed(source.root, scratch / "before", *made_of)
        # The same inputs, also where those on which it failed before are not the first that run.
        same = before.part.attempt if before.dynamic.outcome == "ok" else None
        _, _, _, after = _probed(copy, scratch / "after", *made_of, same)
    dynamic, reason = _dynamic(before, after)
    edits = claim.change.edits
    return FixProof(
        kit=kit,
        config=claim.config,
        paddle=paddle,
        fixes=claim.fixes,
        ground=claim.ground,
        dynamic=dynamic,
        reason=reason,
        left={m: short_reason(f.reason) for m, f in after.modes.items() if not f.verdict.passed},
        before={mode: found.verdict for mode, found in before.modes.items()},
        after={mode: found.verdict for mode, found in after.modes.items()},
        lines_added=sum(edit.lines_added for edit in edits),
        lines_removed=sum(edit.lines_removed for edit in edits),
        steps=STEPS,
        also=model.also,
        model=model.name,
        attempt=after.part.attempt,
        adapter=adapter,
        recorder=recorder_version()[:16],
        revision=source.revision,
        date=now(),
    )


def _probed(
    root: Path,
    scratch: Path,
    equipment: Equipment,
    config: str,
    asked: ProbeRequest,
    attempt: dict[str, Any] | None = None,
) -> tuple[str, int, Model, Probed]:
    """Paddle's version, the adapter's, the model that the config names, and what its probe says.

    With an `attempt`, the model is fed as that says and in no other way.
    """
    with equipment.server(root, scratch / "server.log") as server:
        ready = server.start()
        listing = list_models(server, [config], scratch)
        if not listing.models:
            why = listing.unread.get(config, "it names no model that can be probed")
            raise UsageError(f"{config} cannot be probed: {why}.")
        model = listing.models[0]
        if attempt is not None:
            model = replace(model, attempts=(attempt,))
        return (
            ready.paddle,
            ready.adapter,
            model,
            Prober(server, scratch, asked.limits).probe(model),
        )


def _dynamic(before: Probed, after: Probed) -> tuple[Dynamic, str]:
    """What became of dynamic training, and why it is not equal."""
    for side in (before, after):
        if side.dynamic.outcome not in ("ok", "fails", "crash"):
            return Dynamic.UNKNOWN, short_reason(side.dynamic.reason)
    if after.dynamic.outcome != "ok":
        return Dynamic.FAILS, short_reason(after.dynamic.reason)
    if before.dynamic.outcome != "ok":
        return Dynamic.MENDED, short_reason(before.dynamic.reason)
    if before.part.attempt != after.part.attempt:
        return Dynamic.DIFFERS, "it runs on other inputs than before"
    found = first_deviation(before.reference, after.reference)
    return (Dynamic.EQUAL, "") if found is None else (Dynamic.DIFFERS, found)
