"""What was applied to a tree, kept so that it can be taken out again to the byte.

In the workspace, one folder a tree: `blobs/` (old and new bytes by their hash),
`record.json` (what is applied now) and, only while files are being replaced,
`journal.json`. The record names the run that wrote it, and writing it is the one step that
makes a run final: a journal whose run is not in the record is undone by the next command.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from codemod.errors import Finding
from codemod.store import temporary_name, write_atomic

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from codemod.workspace import Workspace

VERSION = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One file that was changed, with the hashes of its bytes before and after."""

    path: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class Write:
    """Bytes that one file shall get, and those it has now."""

    path: str
    before: bytes
    after: bytes


@dataclass(frozen=True, slots=True)
class Ledger:
    """The record of one tree. Whoever changes it holds the tree's lock."""

    tree: Path
    folder: Path
    workspace: Workspace

    @classmethod
    def of(cls, tree: Path, workspace: Workspace) -> Ledger:
        """The ledger of `tree` in `workspace`; nothing is made on disk."""
        root = tree.resolve()
        return cls(root, workspace.record(root), workspace)

    def entries(self) -> tuple[Entry, ...]:
        """What is applied now, oldest first."""
        return _entries(self._read("record.json"))

    def interrupted(self) -> bool:
        """Whether a run began to replace files and did not say that it ended."""
        return (self.folder / "journal.json").exists()

    def blob(self, key: str) -> bytes:
        """The kept bytes of that hash."""
        return (self.folder / "blobs" / key).read_bytes()

    def keep(self, data: bytes) -> str:
        """Keep these bytes; returns their hash."""
        key = hashlib.sha256(data).hexdigest()
        if not (self.folder / "blobs" / key).exists():
            write_atomic(self.workspace.make("trees", self.folder.name, "blobs") / key, data)
        return key

    def commit(self, writes: Sequence[Write], entries: Sequence[Entry]) -> None:
        """Replace the files, after which `entries` is what is applied: all of it or nothing."""
        run = os.urandom(8).hex()
        steps = [Entry(w.path, self.keep(w.before), self.keep(w.after)) for w in writes]
        self.workspace.make("trees", self.folder.name)
        self._write("journal.json", run, steps)
        try:
            for write in writes:
                write_atomic(self.tree / write.path, write.after)
            self._write("record.json", run, entries)
        except BaseException as error:
            self._undo_after(error)
            raise
        self._close(entries)

    def _undo_after(self, error: BaseException) -> None:
        try:
            self.recover()
        except OSError as another:
            raise Finding(
                f"Writing failed ({error}), and so did undoing it ({another}).",
                "Mend the cause, then run any command on this tree: it will undo the rest.",
            ) from another

    def recover(self) -> bool:
        """Undo a run that was interrupted; tells whether there was one.

        Raises:
            Finding: a file was edited since, so its old bytes are left to the user.
        """
        if not self.interrupted():
            return False
        journal, record = self._read("journal.json"), self._read("record.json")
        edited = []
        if journal["run"] != record.get("run"):
            edited = [step.path for step in _entries(journal) if not self._undo(step)]
        if edited:
            (self.folder / "journal.json").replace(self.folder / "journal.unfinished.json")
            raise Finding(
                f"An interrupted run could not be undone in {', '.join(edited)}, edited since.",
                f"The bytes from before are kept under {self.folder / 'blobs'}.",
            )
        self._close(_entries(record))
        return True

    def _undo(self, step: Entry) -> bool:
        """Bring one file back; False when it holds neither the old nor the new bytes."""
        target = self.tree / step.path
        temporary_name(target).unlink(missing_ok=True)
        now = hashlib.sha256(target.read_bytes()).hexdigest() if target.is_file() else ""
        if now == step.after and now != step.before:
            write_atomic(target, self.blob(step.before))
        return now in (step.before, step.after)

    def _close(self, entries: Sequence[Entry]) -> None:
        """End a run: forget the journal, then the bytes that nothing refers to any more."""
        (self.folder / "journal.json").unlink(missing_ok=True)
        used = {key for entry in entries for key in (entry.before, entry.after)}
        for blob in (self.folder / "blobs").iterdir():
            if blob.name not in used:
                blob.unlink()

    def _write(self, name: str, run: str, entries: Sequence[Entry]) -> None:
        content = {
            "version": VERSION,
            "root": str(self.tree),
            "run": run,
            "files": [asdict(entry) for entry in entries],
        }
        write_atomic(self.folder / name, json.dumps(content, indent=1).encode())

    def _read(self, name: str) -> dict[str, Any]:
        try:
            content: dict[str, Any] = json.loads((self.folder / name).read_bytes())
        except FileNotFoundError:
            return {}
        return content


def _entries(content: dict[str, Any]) -> tuple[Entry, ...]:
    return tuple(Entry(**item) for item in content.get("files", []))
