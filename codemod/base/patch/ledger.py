"""What was applied to a tree, kept so that it can be reverted to the byte.

In the user's state folder, one folder for each tree: `record.json` (what is applied now) and,
only while files are being replaced, `journal.json`. Both hold the files' bytes before and
after. The journal is on disk before the first file changes. The record names the run that
wrote it, and its renaming is the one step that makes a run final: a journal whose run is not
in the record is undone by the next command that writes.
"""

from __future__ import annotations

import base64
import contextlib
import errno
import json
import os
import shutil
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codemod.base.errors import FindingsError, UsageError
from codemod.base.files.atomic import inside, places_below, replace_below, stays, write_atomic
from codemod.base.files.state import JOURNAL, RECORD, known_states, make_state, read_state, state_of

VERSION = 2


@dataclass(frozen=True, slots=True)
class Entry:
    """One file that was changed: its path in the tree, its bytes before and after.

    Files that share a name in `groups` belong to one hook: one does not run without the other.
    """

    path: str
    before: bytes
    after: bytes
    groups: tuple[str, ...] = ()


class DamagedLedgerError(UsageError):
    """A journal or record that cannot be read, or is about something else."""


@dataclass(frozen=True, slots=True)
class _Content:
    """What a journal or a record holds."""

    root: str
    run: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Ledger:
    """The record of one tree. Whoever changes it holds the tree's lock."""

    tree: Path
    folder: Path

    @classmethod
    def of(cls, tree: Path) -> Ledger:
        """The ledger of `tree`; nothing is made on disk."""
        root = tree.resolve()
        return cls(root, state_of(root))

    def entries(self) -> tuple[Entry, ...]:
        """What is applied now, oldest first.

        Raises:
            DamagedLedgerError: the record cannot be read.
        """
        content = self._read(RECORD)
        return content.entries if content else ()

    def interrupted(self) -> bool:
        """Whether a run began to replace files and did not come to its end.

        Raises:
            DamagedLedgerError: the journal or the record cannot be read.
        """
        journal = self._read(JOURNAL)
        return journal is not None and not self._final(journal.run)

    def commit(self, writes: Sequence[Entry], entries: Sequence[Entry]) -> None:
        """Make the writes, after which `entries` is what is applied: all of it or nothing.

        Raises:
            OSError: writing failed, and every file is as it was.
            FindingsError: writing failed, and so did undoing it; says which files are new.
        """
        run = os.urandom(8).hex()
        make_state("trees", self.folder.name, outside=self.tree)
        try:
            self._write(JOURNAL, run, writes)
            replace_below(self.tree, [(one.path, one.before, one.after) for one in writes])
            self._write(RECORD, run, entries)
        except BaseException as error:
            if not self._renamed(run):
                self._undo_after(error, writes)
                raise
            # The record stands, so the run is final. The journal stays: should a power cut
            # bring the old record back, it is what undoes the run.
            if not isinstance(error, OSError):
                raise
            return
        with contextlib.suppress(OSError):
            self._forget_journal()

    def recover(self) -> bool:
        """Undo a run that was interrupted; tells whether there was one.

        Raises:
            DamagedLedgerError: the journal or the record cannot be read.
            FindingsError: a file was edited since, so its old bytes are left to the user.
        """
        journal = self._read(JOURNAL)
        if journal is None:
            return False
        unfinished = not self._final(journal.run)
        if unfinished:
            self._undo(journal.entries)
        self._forget_journal()
        return unfinished

    def adopt(self, other: Path) -> None:
        """Take over the folder of a tree that was moved here."""
        make_state("trees", outside=self.tree)
        for name in (RECORD, JOURNAL):
            content = _load(other / name)
            if content is not None:
                make_state("trees", self.folder.name, outside=self.tree)
                self._write(name, content.run, content.entries)
        shutil.rmtree(other, ignore_errors=True)

    def _final(self, run: str) -> bool:
        record = self._read(RECORD)
        return record is not None and record.run == run

    def _renamed(self, run: str) -> bool:
        """Whether the record of this run has reached its place."""
        try:
            return self._final(run)
        except DamagedLedgerError:
            return False

    def _undo_after(self, error: BaseException, writes: Sequence[Entry]) -> None:
        """Undo a run of this process, by what it knows itself; the journal may be gone."""
        try:
            self._undo(writes)
            self._forget_journal()
        except OSError as another:
            new = [write.path for write in writes if _holds(self.tree / write.path, write.after)]
            if not new:
                return
            raise FindingsError(
                f"Writing failed ({error}), and so did undoing it ({another}); "
                f"these files hold the new lines: {', '.join(new)}.",
                f"Remove the cause, then run `codemod revert {self.tree}`: it will undo the rest.",
            ) from another

    def _undo(self, writes: Sequence[Entry]) -> None:
        """Bring back the files that hold what the run wrote; keep aside those edited since."""
        back, edited = [], []
        for write in writes:
            now = self._rest(write.path)
            if now == write.after:
                back.append((write.path, write.after, write.before))
            elif now != write.before:
                edited.append(write)
        replace_below(self.tree, back)
        if not edited:
            return
        for write in edited:
            aside = self.folder / "unfinished" / write.path
            aside.parent.mkdir(parents=True, exist_ok=True)
            aside.write_bytes(write.before)
        self._forget_journal()
        names = ", ".join(write.path for write in edited)
        raise FindingsError(
            f"An interrupted run could not be undone in {names}, edited since.",
            f"The bytes from before lie in {self.folder / 'unfinished'}.",
        )

    def _rest(self, path: str) -> bytes | None:
        """What a file holds after a run that did not end, without what that left beside it."""
        try:
            with contextlib.ExitStack() as held:
                (place,) = places_below(held, self.tree, [path])
                place.temporary.remove()
                return place.read()
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            if error.errno != errno.ELOOP:
                raise
            return None

    def _forget_journal(self) -> None:
        (self.folder / JOURNAL).unlink(missing_ok=True)

    def _write(self, name: str, run: str, entries: Sequence[Entry]) -> None:
        files = [
            {
                "path": entry.path,
                "groups": entry.groups,
                "before": _packed(entry.before),
                "after": _packed(entry.after),
            }
            for entry in entries
        ]
        content = {"version": VERSION, "root": str(self.tree), "run": run, "files": files}
        write_atomic(self.folder / name, json.dumps(content, indent=1).encode())

    def _read(self, name: str) -> _Content | None:
        content = _load(self.folder / name)
        if content is not None and content.root != str(self.tree):
            raise _damaged(self.folder / name, f"it is about {content.root}")
        return content


def moved_here(tree: Path, name: str) -> Path | None:
    """The folder of another tree whose journal or record (`name`) fits the files of `tree`.

    Of a tree that is gone from its place one file that holds what was written is enough: it
    was moved here, and may have been edited since. Of one that is still there none fits: this
    is a copy, with a life of its own.
    """
    root = tree.resolve()
    for folder in known_states():
        place = _place(folder / name)
        if folder == state_of(root) or place is None or Path(place).exists():
            continue
        try:
            content = _load(folder / name)
        except DamagedLedgerError:
            continue
        if content is None or not content.entries:
            continue
        safe = [entry for entry in content.entries if inside(root, entry.path)]
        if len(safe) == len(content.entries) and any(
            _holds(root / entry.path, entry.after) for entry in safe
        ):
            return folder
    return None


def recorded_trees() -> tuple[Path, ...]:
    """The trees, still in their place, to which something is applied."""
    named = (_place(folder / RECORD) for folder in known_states())
    trees = (Path(place) for place in named if place is not None)
    return tuple(tree for tree in trees if tree.is_dir() and _is_changed(tree))


def _is_changed(tree: Path) -> bool:
    try:
        return bool(Ledger.of(tree).entries())
    except DamagedLedgerError:
        return True  # whoever names that tree is told what is wrong with its record


def _place(file: Path) -> str | None:
    """The tree that a journal or record is about, read without its files, which may be large."""
    try:
        with file.open("rb") as stream:
            head, _, _ = stream.read(1 << 14).partition(b',\n "files"')
        return str(json.loads(head + b"}")["root"])
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _holds(file: Path, data: bytes) -> bool:
    try:
        return not file.is_symlink() and file.is_file() and file.read_bytes() == data
    except OSError:
        return False


def _load(file: Path) -> _Content | None:
    """The content of a journal or a record; None where there is none.

    Raises:
        DamagedLedgerError: it is not what this version writes, or a path in it leads out.
    """
    try:
        data = read_state(file)
    except UsageError as error:
        raise _damaged(file, error.message.rstrip(".")) from error
    except OSError as error:
        raise _damaged(file, error.strerror or "it cannot be read") from error
    if data is None:
        return None
    try:
        content: dict[str, Any] = json.loads(data)
        if content["version"] != VERSION:
            raise _damaged(file, f"its version is {content['version']}, not {VERSION}")
        entries = tuple(_entry(item) for item in content["files"])
        root, run = str(content["root"]), str(content["run"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, zlib.error) as error:
        raise _damaged(file, "it is not whole") from error
    for entry in entries:
        if not stays(entry.path):
            raise _damaged(file, f"it names {entry.path!r}, outside the tree")
    return _Content(root, run, entries)


def _entry(item: dict[str, Any]) -> Entry:
    path, groups = item["path"], item["groups"]
    if not isinstance(path, str) or not isinstance(groups, list):
        raise TypeError(path)
    return Entry(path, _unpacked(item["before"]), _unpacked(item["after"]), tuple(map(str, groups)))


def _damaged(file: Path, reason: str) -> DamagedLedgerError:
    return DamagedLedgerError(
        f"codemod's note {file} cannot be used: {reason}.",
        "Look at the tree (`git diff` shows what stands there), then delete that note.",
    )


def _packed(data: bytes) -> str:
    return base64.b85encode(zlib.compress(data, 1)).decode()


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b85decode(text))
