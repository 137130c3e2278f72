"""What `diff` shows: what `apply` would change, or has changed already.

After `apply` nothing is left to do, and a patch of that is empty. Then the tree is planned as it
was before; where that gives the very files that stand there now, the plan is the patch.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from codemod.base.changeset import ChangeSet, FileChange
from codemod.base.errors import CodemodError
from codemod.base.terminal.stderr import note
from codemod.work.planning import PlanOutcome, Request, outcome, spread


def patched(wanted: Sequence[Request]) -> Iterator[PlanOutcome]:
    """The outcomes in the order of the requests, each with a change, where there is one."""
    return spread(_patched, wanted, "Reading", [one.target for one in wanted])


def _patched(request: Request) -> PlanOutcome:
    found = outcome(request)
    if found.change_set is None or found.change_set.changes:
        return found
    from codemod.base.patch.apply import applied

    try:
        written = applied(found.change_set.source.root)
    except CodemodError as error:
        note(error.message)
        return found
    if not written:
        return found
    if before := _planned_before(request, found.change_set, written):
        return replace(found, change_set=before, applied=True, exit_code=int(before.wants_a_human))
    files = len({change.path for change in written})
    note(_where_to_look(found.root, found.change_set, files))
    return found


def _planned_before(
    request: Request, now: ChangeSet, written: Sequence[FileChange]
) -> ChangeSet | None:
    """The change as it was planned before it was written; None where other lines stand there."""
    from codemod.engine import plan_change

    old = {change.path: change.old for change in written}
    planned = plan_change(now.source, request.rules, request.switch, old).change_set()
    wanted = {change.path: (change.old, change.new) for change in planned.changes}
    if wanted != {change.path: (change.old, change.new) for change in written}:
        return None
    root = now.source.root
    return planned if all(_holds(root / path, new) for path, (_, new) in wanted.items()) else None


def _holds(file: Path, data: bytes) -> bool:
    return file.is_file() and file.read_bytes() == data


def _where_to_look(root: str, now: ChangeSet, files: int) -> str:
    """How to see what an earlier run wrote that this one would write otherwise."""
    from codemod.base.files.git_state import is_checkout

    several = f"{files} files" if files > 1 else "a file"
    said = f"An earlier run changed {several} here, but not to what this one would write"
    if is_checkout(now.source.root):
        return f"{said}: `git -C {shlex.quote(root)} diff` shows what is not committed."
    return f"{said}: `codemod revert {shlex.quote(root)}` takes it out."
