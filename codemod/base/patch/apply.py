"""Apply a change set to a tree, or to a copy of it, and revert it."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from codemod.base.changeset import ChangeSet, Source
from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.files.atomic import check_writable, locked
from codemod.base.files.state import JOURNAL, RECORD
from codemod.base.git_state import dirty_files, git_output_or_none
from codemod.base.grouping import grouped, grouped_once
from codemod.base.launch.tools import found
from codemod.base.patch.ledger import Entry, Ledger, moved_here
from codemod.base.terminal.doing import doing


@dataclass(frozen=True, slots=True)
class Reverted:
    """What `revert` did, file by file.

    Brought back to the byte; our lines taken from among the user's edits; gone; left alone
    because edits touch our lines; left alone because it belongs to such a file.
    """

    restored: tuple[str, ...] = ()
    merged: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    conflicts: tuple[str, ...] = ()
    kept: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


def recover(root: Path) -> bool:
    """Undo what an interrupted run left behind; tells whether there was anything."""
    ledger = _ledger(root, JOURNAL)
    if not (ledger.folder / JOURNAL).exists():
        return False
    with locked(root):
        return ledger.recover()


def interrupted(root: Path) -> bool:
    """Whether a run left the files of the tree half changed; nothing is written.

    Raises:
        DamagedLedgerError: its journal cannot be read.
    """
    moved = moved_here(root, JOURNAL) if not Ledger.of(root).folder.exists() else None
    return moved is not None or Ledger.of(root).interrupted()


def apply_changes(change_set: ChangeSet, *, allow_dirty: bool) -> None:
    """Write the new bytes of every changed file, or none at all.

    Raises:
        UsageError: a file is dirty, read-only, outside the tree, or changed since the plan
            was made; another run holds the tree. Nothing was written then.
    """
    if not change_set.changes:
        return
    root = change_set.source.root
    with locked(root):
        ledger = _ledger(root, RECORD)
        ledger.recover()
        _check(change_set, ledger, allow_dirty=allow_dirty)
        groups = _groups(change_set)
        writes = [
            Entry(change.path, change.old, change.new, groups.get(change.path, ()))
            for change in change_set.changes
        ]
        _commit(ledger, writes, _extended(ledger.entries(), writes))


def changed_copy(change: ChangeSet, place: Path) -> Path:
    """Copy the tree of the change's source to `place`, without its history, and change it there."""
    doing("Copying the kit for the fix")
    ignored = shutil.ignore_patterns(".git", "__pycache__", ".codemod")
    shutil.copytree(change.source.root, place, symlinks=True, ignore=ignored)
    write_changes(change, place)
    return place


def write_changes(change: ChangeSet, root: Path) -> None:
    """Write the changed files below `root`, which need not be the source of the change."""
    for one in change.changes:
        (root / one.path).write_bytes(one.new)


def revert(source: Source) -> Reverted:
    """Take out of the tree what `apply` put in, youngest first.

    Files that were not edited since get back their very bytes. From a file that was, only
    our lines are taken, and only where that is certain; else it is left and named, and so is
    every file that does not work without it.
    """
    with locked(source.root):
        ledger = _ledger(source.root, RECORD)
        ledger.recover()
        entries = ledger.entries()
        of = grouped((entry.path, entry) for entry in entries)
        now = {path: data for path in of if (data := _content(source.root / path)) is not None}
        before = {path: _before(of[path], data) for path, data in now.items()}
        left = _together(entries, {path for path, data in before.items() if data is None})
        done: dict[str, list[str]] = {"missing": [path for path in of if path not in now]}
        writes: list[Entry] = []
        for path, held in now.items():
            old = before[path]
            if old is None or path in left:
                what = "conflicts" if old is None else "kept"
            elif old == held:
                what = "without"
            else:
                what = "restored" if held == of[path][-1].after else "merged"
                check_writable(source.root, path)
                writes.append(Entry(path, held, old))
            done.setdefault(what, []).append(path)
        rest = [entry for entry in entries if entry.path in left and entry.path in now]
        if len(rest) < len(entries):
            _commit(ledger, writes, rest)
    return Reverted(**{name: tuple(paths) for name, paths in done.items()})


def _ledger(root: Path, name: str) -> Ledger:
    """The ledger of the tree, brought along where the tree was moved."""
    ledger = Ledger.of(root)
    if not ledger.folder.exists() and (old := moved_here(root, name)):
        ledger.adopt(old)
    return ledger


def _content(file: Path) -> bytes | None:
    """What a file of the tree holds; None where it is gone, or is a link now."""
    return file.read_bytes() if file.is_file() and not file.is_symlink() else None


def _groups(change_set: ChangeSet) -> dict[str, tuple[str, ...]]:
    """By file, what it belongs to: a file without hooks of its own belongs to nothing else.

    A group is named after one run and one hook: two runs may number their hooks alike.
    """
    run = os.urandom(4).hex()
    names = ((edit.file, f"{run}-{hook}") for edit in change_set.edits for hook in edit.hooks)
    return {path: tuple(found) for path, found in grouped_once(names).items()}


def _together(entries: Sequence[Entry], paths: set[str]) -> set[str]:
    """The paths, and all that belong to one of them, over any others."""
    found: set[str] = set()
    while paths != found:
        found = set(paths)
        groups = {group for entry in entries if entry.path in found for group in entry.groups}
        paths = found | {entry.path for entry in entries if groups & set(entry.groups)}
    return found


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
                f"{change.path} changed after the change was planned; nothing was written.",
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
            groups = dict.fromkeys((*last.groups, *write.groups))
            write = Entry(write.path, last.before, write.after, tuple(groups))
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


def take_out(now: bytes, before: bytes, after: bytes) -> bytes | None:
    """`now` without what turned `before` into `after`; None where that is not certain.

    Git's three-way merge does the work: it refuses where an edit touches our lines.

    Raises:
        EnvironmentFault: the file was edited and git is not installed.
    """
    if now == after:
        return before
    if now == before:
        return now
    with tempfile.TemporaryDirectory(prefix="codemod-") as folder:
        names = []
        for name, data in (("now", now), ("after", after), ("before", before)):
            file = Path(folder) / name
            file.write_bytes(data)
            names.append(os.fspath(file))
        if found("git") is None:
            raise EnvironmentFault(
                "A file was edited since `apply`, and taking our lines out of it needs git.",
                "Install git, then run this again.",
            )
        return git_output_or_none(Path(folder), "merge-file", "--stdout", "--quiet", *names)
