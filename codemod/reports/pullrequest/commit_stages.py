"""A plan divided into commits that a reviewer can read one by one.

Plumbing comes before the hook that uses it, so that each commit runs by itself: a switch
that nothing reads yet is harmless, a hook whose switch does not exist is a NameError.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, replace

from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange
from codemod.base.reason import Reason
from codemod.engine.plan import Plan
from codemod.reports.pullrequest.headline import completing, repairs


@dataclass(frozen=True, slots=True)
class Stage:
    """One commit's share: what kind of edits it holds and how its subject reads."""

    name: str
    kinds: frozenset[EditKind]
    subject: str


STAGES = (
    Stage(
        "plumbing", frozenset({EditKind.PLUMBING}), "Add a switch for dynamic-to-static training"
    ),
    Stage(
        "hook",
        frozenset({EditKind.HELPER, EditKind.IMPORT, EditKind.HOOK}),
        "Support dynamic-to-static training",
    ),
    Stage(
        "config",
        frozenset({EditKind.CONFIG, EditKind.DOC}),
        "Document the switch for dynamic-to-static training",
    ),
    Stage(
        "tipc",
        frozenset({EditKind.TIPC}),
        "Add dynamic-to-static training to the TIPC configs",
    ),
    Stage(
        "fix",
        frozenset({EditKind.FIX}),
        "Rewrite model code that fails or gives other numbers when static",
    ),
)


@dataclass(frozen=True, slots=True)
class Part:
    """A stage with what it changes, on top of the stages before it; `subject` is its commit's."""

    stage: Stage
    edits: tuple[Edit, ...]
    changes: tuple[FileChange, ...]
    subject: str


def _subject(stage: Stage, edits: Sequence[Edit], whole: ChangeSet) -> str:
    """What the commit does, as its subject line says it."""
    if all(edit.kind is EditKind.CONFIG for edit in edits):
        return "Add the switch for dynamic-to-static training to the configs"
    if stage.name not in ("plumbing", "hook"):
        return stage.subject
    stands = any(hook.exists for hook in whole.hooks)
    users = {index for edit in edits for index in edit.hooks}
    if stands and all(whole.hooks[index].exists for index in users):
        fixes = repairs(edits)
        if fixes:
            return Reason.of("reports.headline-fix", what=fixes[0]).text()
        return completing(edits).text()
    if stands and stage.name == "plumbing":
        return "Hand the switch for dynamic-to-static training on"
    return stage.subject


def parts_of(plan: Plan, whole: ChangeSet, accepted: frozenset[int]) -> tuple[Part, ...]:
    """The stages of `whole`: the plan's change set of `accepted` hooks and perhaps more files.

    The last stage ends at the very bytes of `whole`. A stage whose files would not parse by
    themselves is joined to the next.
    """
    now = {change.path: change.old for change in whole.changes}
    parts: list[Part] = []
    pending: tuple[Edit, ...] = ()
    for number, stage in enumerate(STAGES):
        edits = tuple(edit for edit in whole.edits if edit.kind in stage.kinds)
        if not edits:
            continue
        done = frozenset[EditKind]().union(*(one.kinds for one in STAGES[: number + 1]))
        later = [edit for edit in whole.edits if edit.kind not in done]
        target = _texts(whole) if not later else _reached(plan, whole, accepted, done)
        if later and not all(_parses(path, data) for path, data in target.items()):
            pending = (*pending, *edits)
            continue
        changes = tuple(
            FileChange(path, now[path], data) for path, data in target.items() if data != now[path]
        )
        if changes:
            done_here = (*pending, *edits)
            parts.append(Part(stage, done_here, changes, _subject(stage, done_here, whole)))
        pending, now = (), target
    return tuple(parts)


def _texts(whole: ChangeSet) -> dict[str, bytes]:
    return {change.path: change.new for change in whole.changes}


def _reached(
    plan: Plan, whole: ChangeSet, accepted: frozenset[int], kinds: frozenset[EditKind]
) -> dict[str, bytes]:
    """Every file of `whole` with the edits of these kinds alone."""
    steps = tuple(step for step in plan.steps if step.op.kind in kinds)
    by_plan = {step.op.file for step in plan.steps}
    if len(steps) == len(plan.steps):  # only further files are left: nothing to render again
        planned = _texts(whole)
    else:
        part = replace(plan, steps=steps).change_set(accepted)
        planned = {change.path: change.new for change in part.changes}
    own = {edit.file for edit in whole.edits if edit.kind in kinds}
    return {
        change.path: planned.get(change.path, change.old)
        if change.path in by_plan
        else (change.new if change.path in own else change.old)
        for change in whole.changes
    }


def _parses(path: str, data: bytes) -> bool:
    if not path.endswith(".py"):
        return True
    try:
        ast.parse(data)
    except (SyntaxError, ValueError):
        return False
    return True


def with_more(whole: ChangeSet, more: Sequence[tuple[Edit, FileChange]]) -> ChangeSet:
    """The change set with edits of further files, which the plan does not touch."""
    return replace(
        whole,
        edits=(*whole.edits, *(edit for edit, _ in more)),
        changes=(*whole.changes, *(change for _, change in more)),
    )
