"""A plan's change set, with the user's own wording of single hunks worked into it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from codemod.base.changeset import ChangeSet, Edit, FileChange, Hook
from codemod.base.errors import UsageError
from codemod.base.patch.hunks import Hunk, compose, hunks_of, split_lines
from codemod.reports.review.interactive.decisions import Rewrite


def rewritten(change_set: ChangeSet, rewrites: Sequence[Rewrite]) -> ChangeSet:
    """`change_set` with the lines that the user changed or left out.

    Raises:
        UsageError: an edited hunk is no longer there, as another hook changed its lines.
    """
    changes: list[FileChange] = []
    hooks, edits = list(change_set.hooks), list(change_set.edits)
    for change in change_set.changes:
        mine = [rewrite for rewrite in rewrites if rewrite.path == change.path]
        hunks = list(hunks_of(change))
        for rewrite in mine:
            index, at = _find(hunks, rewrite)
            hunks[index], delta = _reworded(hunks[index], rewrite, at)
            hooks = _shifted(hooks, change.path, hunks[index], delta)
            edits = _recounted(edits, rewrite, delta)
        new = compose(change.old, hunks)
        if new != change.old:
            changes.append(replace(change, new=new))
    return replace(change_set, hooks=tuple(hooks), edits=tuple(edits), changes=tuple(changes))


def _find(hunks: Sequence[Hunk], rewrite: Rewrite) -> tuple[int, int]:
    """The hunk that holds the lines, and where in it; another hook may have added to it."""
    shown = split_lines(rewrite.shown.encode("latin-1"))
    for index, hunk in enumerate(hunks):
        if hunk.start != rewrite.start:
            continue
        for at in range(len(hunk.new) - len(shown) + 1):
            if list(hunk.new[at : at + len(shown)]) == shown:
                return index, at
    raise UsageError(
        f"Your edit near line {rewrite.start + 1} of {rewrite.path} cannot be combined with "
        "another hook accepted later at the same place.",
        "Start again and leave one of the two out, or edit the file after `apply`.",
    )


def _reworded(hunk: Hunk, rewrite: Rewrite, at: int) -> tuple[Hunk, int]:
    shown = split_lines(rewrite.shown.encode("latin-1"))
    wanted = split_lines(rewrite.wanted.encode("latin-1"))
    new = (*hunk.new[:at], *wanted, *hunk.new[at + len(shown) :])
    # A hunk that is left out leaves its old lines in place, too.
    return replace(hunk, new=new if new or wanted else hunk.old), len(wanted) - len(shown)


def _shifted(hooks: Iterable[Hook], path: str, hunk: Hunk, delta: int) -> list[Hook]:
    end = hunk.new_stop - delta
    return [
        replace(hook, line=hook.line + delta)
        if hook.file == path and hook.line is not None and hook.line > end
        else hook
        for hook in hooks
    ]


def _recounted(edits: Sequence[Edit], rewrite: Rewrite, delta: int) -> list[Edit]:
    """The edits with their line counts in step with what will be written."""
    shown = len(split_lines(rewrite.shown.encode("latin-1")))
    mine = [number for number, edit in enumerate(edits) if edit.file == rewrite.path]
    exact = [number for number in mine if edits[number].lines_added == shown]
    if not delta or not mine:
        return list(edits)
    chosen = exact[0] if exact else max(mine, key=lambda number: edits[number].lines_added)
    added = max(0, edits[chosen].lines_added + delta)
    changed = replace(edits[chosen], lines_added=added)
    keep = added or changed.lines_removed
    return [
        changed if number == chosen else edit
        for number, edit in enumerate(edits)
        if number != chosen or keep
    ]


def brought(base: ChangeSet, more: ChangeSet) -> tuple[Hunk, ...]:
    """The hunks that `more` has beyond `base`, both against the same old files."""
    known = {
        (hunk.path, hunk.start, hunk.old, hunk.new)
        for change in base.changes
        for hunk in hunks_of(change)
    }
    return tuple(
        hunk
        for change in more.changes
        for hunk in hunks_of(change)
        if (hunk.path, hunk.start, hunk.old, hunk.new) not in known
    )


def old_bytes(change_set: ChangeSet, path: str) -> bytes:
    """The file as it is before anything is applied."""
    return next(change.old for change in change_set.changes if change.path == path)
