"""The plan of one kit: hooks with their reasons, and the operations that carry them out."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from codemod.base.changeset import (
    ChangeSet,
    Edit,
    EditKind,
    FileChange,
    Hook,
    KitFault,
    Skip,
    Source,
    Status,
)
from codemod.base.collector import collector_paused
from codemod.base.files.line_diff import added_lines
from codemod.base.grouping import grouped
from codemod.base.reason import Reason, Refusal
from codemod.code.project import Project
from codemod.engine.rewrite.ops import Insert, Op, Replace
from codemod.engine.rewrite.told import origin_of

# A helper of a kit may bear it in its name; a switch, or what keeps a function out, is no hook.
CALL = re.compile(rb"(?<!enable_)(?<!not_)to_static\(")
# The new bytes of a file, and the lines added and removed by each operation.
Written = tuple[bytes, tuple[tuple[int, int], ...]]


@dataclass(frozen=True)
class PlannedOp:
    """An operation, and the hooks (indices) that need it."""

    op: Op
    hooks: frozenset[int]


@dataclass(frozen=True)
class Plan:
    """What would be done. `change_set` carries it out on bytes, never on files."""

    source: Source
    project: Project
    hooks: tuple[Hook, ...] = ()
    steps: tuple[PlannedOp, ...] = ()
    skipped: tuple[Skip, ...] = field(default=())
    training: frozenset[str] = frozenset()
    kit_faults: tuple[KitFault, ...] = ()

    def change_set(self, accepted: frozenset[int] | None = None) -> ChangeSet:
        """The change with the accepted hooks (indices into `hooks`), or with all of them.

        A hook's plumbing goes with it, that of a hook which stands too; plumbing that several
        share stays while one of them is accepted. Where a file cannot be rewritten, every hook
        that needs it is left out everywhere, so that nothing is half-written.
        """
        chosen = frozenset(i for i, h in enumerate(self.hooks) if h.status is not Status.UNPLACED)
        if accepted is not None:
            chosen &= accepted
        lost: dict[int, Reason] = {}
        failed: dict[str, Reason] = {}
        while True:
            with collector_paused():
                outcome = _render(self, chosen)
            broken = {i: w for p, w in outcome.faults.items() for i in _users(self, chosen, p)}
            broken = {i: Reason.of("engine.file-unchangeable", why=w) for i, w in broken.items()}
            broken |= outcome.unbound
            failed |= outcome.faults
            if not broken:
                return _assemble(self, chosen, outcome, failed, lost)
            lost |= broken
            chosen -= broken.keys()


@dataclass(frozen=True)
class _Outcome:
    """Files as they become, why a file must stay as it is, and why a hook must be left out."""

    files: dict[str, Written]
    faults: dict[str, Reason]
    unbound: dict[int, Reason]


def _users(plan: Plan, chosen: frozenset[int], path: str) -> set[int]:
    return {i for s in plan.steps if s.op.file == path for i in s.hooks & chosen}


def _live(plan: Plan, chosen: frozenset[int]) -> dict[str, list[PlannedOp]]:
    return grouped((step.op.file, step) for step in plan.steps if step.hooks & chosen)


def _render(plan: Plan, chosen: frozenset[int]) -> _Outcome:
    live = _live(plan, chosen)
    if not live:
        return _Outcome({}, {}, {})
    from codemod.engine.rewrite.file import RefusedOps, rewrite_checked

    files: dict[str, Written] = {}
    faults: dict[str, Reason] = {}
    unbound: dict[int, Reason] = {}
    for path, steps in live.items():
        result = rewrite_checked(plan.project.tree.read(path), [s.op for s in steps])
        if isinstance(result, Refusal):
            faults[path] = result.reason
        elif isinstance(result, RefusedOps):
            for index, why in result.reasons.items():
                reason = Reason.of("engine.not-placed-in", file=path, why=why)
                unbound |= dict.fromkeys(steps[index].hooks & chosen, reason)
        else:
            files[path] = result.new, result.counts
    return _Outcome(files, faults, unbound)


def _assemble(
    plan: Plan,
    chosen: frozenset[int],
    outcome: _Outcome,
    failed: dict[str, Reason],
    lost: dict[int, Reason],
) -> ChangeSet:
    hooks = [_drop(h, i, chosen, lost) for i, h in enumerate(plan.hooks)]
    index = {old: new for new, old in enumerate(i for i, h in enumerate(hooks) if h is not None)}
    # A hook that stands needs an edit whether it was accepted or not.
    needing = chosen | {i for i, h in enumerate(plan.hooks) if h.status is Status.PRESENT}
    edits: list[Edit] = []
    changes: list[FileChange] = []
    for path, steps in _live(plan, chosen).items():
        (new, counts), module = outcome.files[path], plan.project.module(path)
        changes.append(FileChange(path, plan.project.tree.read(path), new))
        for step, (added, removed) in zip(steps, counts, strict=True):
            users = tuple(sorted(index[i] for i in step.hooks & needing))
            origin = origin_of(step.op, module.tree if module else None)
            edits.append(Edit(path, step.op.kind, added, removed, users, step.op.reason, origin))
    lines = _hook_lines(changes)
    done = [_with_line(h, lines, _calls(plan, i)) for i, h in enumerate(hooks) if h is not None]
    there = {h.place for h in done if h.status is not Status.UNPLACED}
    unplaced = {h.place for h in done} - there
    told = [_still_true(skip, there, unplaced) for skip in plan.skipped]
    skipped = (*told, *(Skip(path, why, True) for path, why in failed.items()))
    return ChangeSet(
        plan.source,
        tuple(done),
        tuple(edits),
        tuple(changes),
        skipped,
        plan.training,
        plan.kit_faults,
    )


def _drop(hook: Hook, index: int, chosen: frozenset[int], lost: dict[int, Reason]) -> Hook | None:
    """A hook that was not accepted is not reported; one that failed is, as unplaced."""
    if hook.status is not Status.INSERTED or index in chosen:
        return hook
    if index in lost:
        return replace(hook, status=Status.UNPLACED, reason=lost[index])
    return None


def _still_true(skip: Skip, there: Collection[str], unplaced: Collection[str]) -> Skip:
    """The skip, with another reason where the hook that would cover the file is not inserted.

    A file whose hook was not accepted is left alone; one whose hook failed waits for that.
    """
    if not skip.covered or skip.covered_by in there:
        return skip
    why = Reason.of("engine.cover-left-out", hook=skip.covered_by)
    return replace(skip, reason=why, covered_by=skip.covered_by * (skip.covered_by in unplaced))


def _hook_lines(changes: Sequence[FileChange]) -> dict[str, list[int]]:
    """Lines of the inserted `to_static` calls, by file, in order."""
    found: dict[str, list[int]] = {}
    for change in changes:
        new = change.new.splitlines()
        lines = [n for n in sorted(added_lines(change.old, change.new)) if CALL.search(new[n - 1])]
        found[change.path] = lines
    return found


def _calls(plan: Plan, index: int) -> int:
    """How many `to_static` calls a hook inserts: one way to hook may have two branches."""
    ops = [s.op for s in plan.steps if index in s.hooks and s.op.kind is EditKind.HOOK]
    codes = [op.action.code for op in ops if isinstance(op.action, (Insert, Replace))]
    return max(1, sum(len(CALL.findall(code.encode())) for code in codes))


def _with_line(hook: Hook, lines: dict[str, list[int]], calls: int) -> Hook:
    """Hooks of a file are in the order of their positions, as the plan lists them."""
    if hook.status is not Status.INSERTED or not lines.get(hook.file):
        return hook
    first, *_ = lines[hook.file]
    del lines[hook.file][:calls]
    return replace(hook, line=first)
