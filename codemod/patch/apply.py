"""Put a change set into the tree, and take it out again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.base.atomic import check_writable, locked
from codemod.base.errors import UsageError
from codemod.base.git_state import dirty_files
from codemod.patch.ledger import Entry, Ledger
from codemod.patch.merge import take_out

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from codemod.base.changeset import ChangeSet, Source
    from codemod.base.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Reverted:
    """What `revert` did, file by file.

    Brought back to the byte; our lines taken from among the user's edits; gone; left alone.
    """

    restored: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()


def recover(root: Path, workspace: Workspace) -> bool:
    """Undo what an interrupted run left behind; every command that reads a tree begins so."""
    ledger = Ledger.of(root, workspace)
    if not ledger.interrupted():
        return False
    with locked(root):
        return ledger.recover()


def apply_changes(change_set: ChangeSet, workspace: Workspace, *, allow_dirty: bool) -> None:
    """Write the new bytes of every changed file, or none at all.

    Raises:
        UsageError: a file is dirty, read-only, outside the tree, or changed since the plan
            was made; another run holds the tree. Nothing was written then.
    """
    if not change_set.changes:
        return
    root = change_set.source.root
    with locked(root):
        ledger = Ledger.of(root, workspace)
        ledger.recover()
        _check(change_set, ledger, allow_dirty=allow_dirty)
        writes = [Entry(change.path, change.old, change.new) for change in change_set.changes]
        _commit(ledger, writes, _extended(ledger.entries(), writes))


def revert(source: Source, workspace: Workspace) -> Reverted:
    """Take out of the tree what `apply` put in, youngest first.

    Files that were not edited since get back their very bytes. From a file that was, only
    our lines are taken, and only where that is certain; else it is left and named.
    """
    with locked(source.root):
        ledger = Ledger.of(source.root, workspace)
        ledger.recover()
        entries = ledger.entries()
        done: dict[str, list[str]] = {"restored": [], "merged": [], "missing": []}
        writes: list[Entry] = []
        left: list[Entry] = []
        for path in dict.fromkeys(entry.path for entry in entries):
            mine = [entry for entry in entries if entry.path == path]
            target = source.root / path
            if not target.is_file() or target.is_symlink():
                done["missing"].append(path)
                continue
            now = target.read_bytes()
            before = _before(mine, now)
            if before is None:
                left.extend(mine)
                continue
            done["merged" if now != mine[-1].after else "restored"].append(path)
            if before != now:
                check_writable(source.root, path)
                writes.append(Entry(path, now, before))
        if len(left) < len(entries):
            _commit(ledger, writes, left)
    return Reverted(
        **{name: tuple(paths) for name, paths in done.items()},
        conflicts=tuple(dict.fromkeys(entry.path for entry in left)),
    )


def _before(entries: Sequence[Entry], now: bytes) -> bytes | None:
    """The file without our lines; None where the user's edits make that uncertain."""
    data: bytes | None = now
    for entry in reversed(entries):
        if data is None:
            return None
        data = take_out(data, entry.before, entry.after)
    return data


def _check(change_set: ChangeSet, ledger: Ledger, *, allow_dirty: bool) -> None:
    root = change_set.source.root
    for change in change_set.changes:
        if not (root / change.path).exists():
            raise UsageError(f"{change.path} is gone; nothing was written.", "Run it again.")
        check_writable(root, change.path)
        if (root / change.path).read_bytes() != change.old:
            raise UsageError(
                f"{change.path} was changed while this run was thinking; nothing was written.",
                "Run it again.",
            )
    if allow_dirty:
        return
    # A file that holds just what an earlier run of ours wrote is not the user's edit.
    ours = {entry.path: entry.after for entry in ledger.entries()}
    foreign = [change.path for change in change_set.changes if ours.get(change.path) != change.old]
    if dirty := dirty_files(root, foreign):
        raise UsageError(
            f"These files hold edits that are not committed: {', '.join(dirty)}.",
            "Commit them, or give --allow-dirty.",
        )


def _extended(entries: Sequence[Entry], writes: Sequence[Entry]) -> list[Entry]:
    """The record with these writes added; one that follows on from another is joined to it."""
    known = list(entries)
    for write in writes:
        last = next((entry for entry in reversed(known) if entry.path == write.path), None)
        if last is not None and last.after == write.before:
            known.remove(last)
            write = Entry(write.path, last.before, write.after)
        if write.before != write.after:
            known.append(write)
    return known


def _commit(ledger: Ledger, writes: Sequence[Entry], entries: Sequence[Entry]) -> None:
    try:
        ledger.commit(writes, entries)
    except OSError as error:
        raise UsageError(
            f"{error.filename or ledger.tree} cannot be written ({error.strerror}); "
            "every file is as it was.",
            "Free the place, or use `codemod diff`, which writes nothing there.",
        ) from error
