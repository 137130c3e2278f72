"""What was applied to a tree, kept so that it can be taken out again to the byte.

In the workspace, one folder a tree: `record.json` (what is applied now) and, only while
files are being replaced, `journal.json`. Both hold the files' bytes before and after. The
record names the run that wrote it, and writing it is the one step that makes a run final: a
journal whose run is not in the record is undone by the next command.
"""

from __future__ import annotations

import base64
import json
import os
import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codemod.base.atomic import replace_all, temporary_name, write_atomic
from codemod.base.errors import Finding
from codemod.base.workspace import JOURNAL

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from codemod.base.workspace import Workspace

VERSION = 1


@dataclass(frozen=True, slots=True)
class Entry:
    """One file that was changed: its path in the tree, its bytes before and after."""

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
        return (self.folder / JOURNAL).exists()

    def commit(self, writes: Sequence[Entry], entries: Sequence[Entry]) -> None:
        """Make the writes, after which `entries` is what is applied: all of it or nothing."""
        run = os.urandom(8).hex()
        self.workspace.make("trees", self.folder.name)
        self._write(JOURNAL, run, writes)
        try:
            replace_all([(self.tree / write.path, write.after) for write in writes])
            self._write("record.json", run, entries)
        except BaseException as error:
            self._undo_after(error)
            raise
        self._forget_journal()

    def recover(self) -> bool:
        """Undo a run that was interrupted; tells whether there was one.

        Raises:
            Finding: a file was edited since, so its old bytes are left to the user.
        """
        if not self.interrupted():
            return False
        journal = self._read(JOURNAL)
        if journal["run"] != self._read("record.json").get("run"):
            self._undo(_entries(journal))
        self._forget_journal()
        return True

    def _undo_after(self, error: BaseException) -> None:
        try:
            self.recover()
        except OSError as another:
            raise Finding(
                f"Writing failed ({error}), and so did undoing it ({another}).",
                "Mend the cause, then run any command on this tree: it will undo the rest.",
            ) from another

    def _undo(self, writes: Sequence[Entry]) -> None:
        """Bring back the files that hold what the run wrote; keep aside those edited since."""
        back, edited = [], []
        for write in writes:
            target = self.tree / write.path
            temporary_name(target).unlink(missing_ok=True)
            now = target.read_bytes() if target.is_file() else None
            if now == write.after:
                back.append((target, write.before))
            elif now != write.before:
                edited.append(write)
        replace_all(back)
        if not edited:
            return
        for write in edited:
            aside = self.folder / "unfinished" / write.path
            aside.parent.mkdir(parents=True, exist_ok=True)
            aside.write_bytes(write.before)
        self._forget_journal()
        names = ", ".join(write.path for write in edited)
        raise Finding(
            f"An interrupted run could not be undone in {names}, edited since.",
            f"The bytes from before lie in {self.folder / 'unfinished'}.",
        )

    def _forget_journal(self) -> None:
        (self.folder / JOURNAL).unlink(missing_ok=True)

    def _write(self, name: str, run: str, entries: Sequence[Entry]) -> None:
        files = [
            {"path": e.path, "before": _packed(e.before), "after": _packed(e.after)}
            for e in entries
        ]
        content = {"version": VERSION, "root": str(self.tree), "run": run, "files": files}
        write_atomic(self.folder / name, json.dumps(content, indent=1).encode())

    def _read(self, name: str) -> dict[str, Any]:
        try:
            content: dict[str, Any] = json.loads((self.folder / name).read_bytes())
        except FileNotFoundError:
            return {}
        return content


def _entries(content: dict[str, Any]) -> tuple[Entry, ...]:
    return tuple(
        Entry(item["path"], _unpacked(item["before"]), _unpacked(item["after"]))
        for item in content.get("files", [])
    )


def _packed(data: bytes) -> str:
    return base64.b85encode(zlib.compress(data, 1)).decode()


def _unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b85decode(text))
