"""A plan divided into commits that a reviewer can read one by one.

What repairs code of the kit's own comes first, a commit for each repair. Plumbing comes before the
hook that uses it, so that each commit runs by itself: a switch that nothing reads yet is harmless,
a hook whose switch does not exist is a NameError.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange, Hook
from codemod.base.patch.mail import repairing
from codemod.base.reason import Reason
from codemod.engine.plan import Plan, PlannedOp
from codemod.reports.pullrequest.headline import completing, prepares


@dataclass(frozen=True, slots=True)
class Stage:
    """One commit's share: what kind of edits it holds and how its subject reads."""

    name: str
    kinds: tuple[EditKind, ...]
    subject: str


_SWITCH = "the switch for dynamic-to-static training"
_CALL = (EditKind.HELPER, EditKind.IMPORT, EditKind.HOOK)
_REWRITE = "Rewrite model code that fails or gives other numbers when static"
STAGES = (
    Stage("plumbing", (EditKind.PLUMBING,), f"Prepare {_SWITCH}"),
    Stage("hook", _CALL, "Support dynamic-to-static training"),
    Stage("config", (EditKind.CONFIG, EditKind.DOC), f"Document {_SWITCH}"),
    Stage("tipc", (EditKind.TIPC,), "Add dynamic-to-static training to the TIPC configs"),
    Stage("fix", (EditKind.FIX,), _REWRITE),
)


@dataclass(frozen=True, slots=True)
class Part:
    """A stage with what it changes, on top of the stages before it; `subject` is its commit's."""

    stage: Stage
    edits: tuple[Edit, ...]
    changes: tuple[FileChange, ...]
    subject: str


@dataclass(frozen=True, slots=True)
class _Goal:
    """How far the change is after a stage: the plan's steps, and the kinds of further edits."""

    stage: Stage
    steps: frozenset[int]
    kinds: frozenset[EditKind]


def _subject(stage: Stage, edits: Sequence[Edit], whole: ChangeSet, files: frozenset[str]) -> str:
    """What the commit does, as its subject line says it; `files` are all of the kit's."""
    if all(edit.kind is EditKind.CONFIG for edit in edits):
        return f"Add {_SWITCH} to the configs"
    if stage.name not in ("repair", "plumbing", "hook"):
        return stage.subject
    repair = repairing(edits)
    if repair and all(_fixes([_of_edit(edit) for edit in edits])):
        return repair.text()
    users = _users(edits, whole)
    # What the kit's own hooks need as well prepares no new one in particular.
    own = [edit for edit in edits if not any(hook.exists for hook in _users([edit], whole))]
    new = [hook for hook in _users(own or edits, whole) if not hook.exists]
    if users and not new:
        return completing(edits, files).text()
    return prepares(new, files).text() if stage.name == "plumbing" and new else stage.subject


def _users(edits: Iterable[Edit], whole: ChangeSet) -> list[Hook]:
    """The hooks that need one of the edits, in their order."""
    return [whole.hooks[index] for index in sorted({i for edit in edits for i in edit.hooks})]


_Row = tuple[str, EditKind, "Reason | None", bool, object]


def _of_step(step: PlannedOp) -> _Row:
    op = step.op
    return op.file, op.kind, op.fix, not (op.says or op.reason), step.hooks


def _of_edit(edit: Edit) -> _Row:
    says, fix = (edit.origin.says, edit.origin.fix) if edit.origin else (None, None)
    return edit.file, edit.kind, fix, not (says or edit.reason), edit.hooks


def _fixes(rows: Iterable[_Row]) -> list[Reason | None]:
    """The repair that each edit belongs to: its own, or that of the one above it in its file.

    The latter where nothing is said of the edit itself, and the same hooks need both.
    """
    found: list[Reason | None] = []
    above: dict[tuple[str, object], Reason | None] = {}
    for file, kind, fix, silent, hooks in rows:
        own = fix or (above.get((file, hooks)) if silent and kind is not EditKind.HOOK else None)
        above[file, hooks] = own
        found.append(own)
    return found


def _goals(plan: Plan) -> list[_Goal]:
    """The stages in order; a hook of the kit's own that moves is a repair in the hooks' stage."""
    steps = list(enumerate(plan.steps))
    fixes = {
        index: fix
        for (index, step), fix in zip(steps, _fixes(map(_of_step, plan.steps)), strict=True)
        if fix and step.op.kind is not EditKind.HOOK
    }
    done: frozenset[int] = frozenset()
    kinds: frozenset[EditKind] = frozenset()
    goals = []
    for fix in dict.fromkeys(fixes.values()):
        done |= {index for index, of in fixes.items() if of == fix}
        goals.append(_Goal(Stage("repair", (), ""), done, kinds))
    for stage in STAGES:
        done |= {index for index, step in steps if step.op.kind in stage.kinds}
        kinds = kinds.union(stage.kinds)
        goals.append(_Goal(stage, done, kinds))
    return goals


def parts_of(plan: Plan, whole: ChangeSet, accepted: frozenset[int]) -> tuple[Part, ...]:
    """The stages of `whole`: the plan's change set of `accepted` hooks and perhaps more files.

    The last stage ends at the very bytes of `whole`. A stage whose files would not parse by
    themselves is joined to the next, and so is an edit that needs one of a later stage.
    """
    now = {change.path: change.old for change in whole.changes}
    told: tuple[Edit, ...] = ()
    parts: list[Part] = []
    *earlier, last = _goals(plan)
    for goal in (*earlier, last):
        target, made = _reached(plan, whole, accepted, goal)
        parses = goal is last or all(_parses(path, data) for path, data in target.items())
        if target == now or not parses:
            continue
        changes = tuple(
            FileChange(path, now[path], data) for path, data in target.items() if data != now[path]
        )
        edits = tuple(_without(made, told))
        parts.append(
            Part(goal.stage, edits, changes, _subject(goal.stage, edits, whole, plan.project.files))
        )
        now, told = target, made
    return tuple(parts)


def _without(edits: Iterable[Edit], others: Iterable[Edit]) -> list[Edit]:
    """The edits that are not among the others, each of which counts once."""
    there = Counter(_key(edit) for edit in others)
    left = []
    for edit in edits:
        if there[_key(edit)]:
            there[_key(edit)] -= 1
        else:
            left.append(edit)
    return left


def _key(edit: Edit) -> tuple[object, ...]:
    """What an edit is, however many lines it takes beside others."""
    return edit.file, edit.kind, edit.origin, edit.reason


def _reached(
    plan: Plan, whole: ChangeSet, accepted: frozenset[int], goal: _Goal
) -> tuple[dict[str, bytes], tuple[Edit, ...]]:
    """Every file of `whole` as it is at a goal, and the edits that are made by then."""
    by_plan = {step.op.file for step in plan.steps}
    planned_kinds = {(step.op.file, step.op.kind) for step in plan.steps}
    others = [edit for edit in whole.edits if (edit.file, edit.kind) not in planned_kinds]
    further = [edit for edit in others if edit.kind in goal.kinds]
    left = [edit for edit in others if edit.kind not in goal.kinds]
    if len(goal.steps) == len(plan.steps) and not any(edit.file in by_plan for edit in left):
        # All that is left are files of their own: nothing to render again.
        made, changes = [edit for edit in whole.edits if edit not in others], whole.changes
    else:
        steps = tuple(plan.steps[index] for index in sorted(goal.steps))
        part = replace(plan, steps=steps).change_set(accepted)
        made, changes = list(part.edits), part.changes
    planned = {change.path: change.new for change in changes}
    own = {edit.file for edit in further} - {edit.file for edit in left}
    files = {
        change.path: planned.get(change.path, change.old)
        if change.path in by_plan
        else (change.new if change.path in own else change.old)
        for change in whole.changes
    }
    return files, (*made, *further)


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
