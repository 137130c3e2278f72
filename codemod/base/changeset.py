"""The data that flows from a kit's source to a patch: hooks, edits, change sets.

Everything here is frozen: each stage makes new values and hands them on.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import Enum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from codemod.base.grouping import grouped
from codemod.base.json_form import named
from codemod.base.reason import Reason


class Status(str, Enum):
    """What became of one hook."""

    INSERTED = "inserted"
    PRESENT = "present"
    UNPLACED = "unplaced"


class EditKind(str, Enum):
    """What one edit is for; the order is the order in which a reviewer reads them."""

    HOOK = "hook"
    HELPER = "helper"
    IMPORT = "import"
    PLUMBING = "plumbing"
    CONFIG = "config"
    DOC = "doc"
    TIPC = "tipc"
    FIX = "fix"


@dataclass(frozen=True, slots=True)
class Hook:
    """A place where training becomes static, or where it should and why it does not.

    `trainer` is the id of the rule's trainer that found it. `line` is 1-based, in the new file, of
    the `to_static` call (of the candidate, when unplaced). `switch` is what a user adds to the
    kit's training command to turn it on. `moved_from` is the 1-based line, in the old file, of a
    hook of the kit's own that is moved.
    """

    trainer: str
    status: Status
    file: str
    scope: str
    line: int | None
    target: str
    gate: str | None
    reason: Reason
    input_spec: str | None = None
    after: str | None = None
    before: str | None = None
    switch: str | None = None
    moved_from: int | None = None

    @property
    def place(self) -> str:
        """Where it stands, as FILE:SCOPE."""
        return f"{self.file}:{self.scope}"

    @property
    def exists(self) -> bool:
        """Whether the kit has it before the change, in this place or where it is moved from."""
        return self.status is Status.PRESENT or self.moved_from is not None

    def to_json(self) -> dict[str, Any]:
        """The hook as an entry of `hooks` in `apply --json`; `after` and `before` name sites."""
        what = named(self, "status", "file", "scope", "line", "target", "gate")
        how = named(self, "input_spec", "after", "before")
        told = {"reason": self.reason.text(), **self.reason.to_json()}
        return {"rule": self.trainer, **what, **how, **told}


@dataclass(frozen=True, slots=True)
class EditOrigin:
    """Whence an edit comes, for all that is said of it.

    `does` tells what it does to its file. `says` is what the rule or the catalogue says of it
    beyond that, `fix` what of the kit's own it repairs, as a headline; None where they say nothing.
    The kit's own hooks in files that match `idles` are not reached any more with it. What `mends`
    the kit goes with every hook, whether that one needs it or not.
    """

    does: Reason
    says: Reason | None = None
    fix: Reason | None = None
    idles: tuple[str, ...] = ()
    mends: bool = False


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of one file: lines that are inserted, or others in the place of some of its own.

    `hooks` are the indices of the hooks that need it.
    """

    file: str
    kind: EditKind
    lines_added: int
    lines_removed: int = 0
    hooks: tuple[int, ...] = ()
    reason: Reason | None = None
    origin: EditOrigin | None = None

    def to_json(self) -> dict[str, Any]:
        """The edit as an entry of `edits` in `apply --json`."""
        return named(self, "file", "kind", "lines_added", "lines_removed")


@dataclass(frozen=True, slots=True)
class Skip:
    """A file left untouched, with the reason a user reads.

    `fault` tells a file that could not be read or rewritten from a deliberate abstention. `line`
    is 1-based, where the file trains; `covered_by` is the hook of another file (`FILE:SCOPE`)
    that sees to its model.
    """

    file: str
    reason: Reason
    fault: bool = False
    line: int | None = None
    covered_by: str = ""

    @property
    def covered(self) -> bool:
        """Whether a hook in another file sees to its model."""
        return bool(self.covered_by)

    def to_json(self) -> dict[str, Any]:
        """The skip as an entry of `skipped` in `apply --json`."""
        return {"file": self.file, "reason": self.reason.text(), **self.reason.to_json()}


@dataclass(frozen=True, slots=True)
class KitFault:
    """Where a switch or hook of the kit's own goes wrong, and why; the change mends it.

    `line` is 1-based, in the file as it is.
    """

    file: str
    line: int
    why: Reason


def by_reason(skips: Iterable[Skip]) -> dict[Reason, list[str]]:
    """The files of each reason, with the line where there is one: hundreds may share a reason.

    Files that a hook elsewhere covers are left out: nothing is lacking there.
    """
    return grouped(
        (skip.reason, f"{skip.file}:{skip.line}" if skip.line else skip.file)
        for skip in skips
        if not skip.covered
    )


@dataclass(frozen=True, slots=True)
class FileChange:
    """Old and new bytes of one file; `path` is relative to the root, with `/`."""

    path: str
    old: bytes
    new: bytes


@dataclass(frozen=True, slots=True)
class Source:
    """Where a kit's files lie, and what is known of their origin.

    `revision` is a commit, a package version, or None for a plain folder. `origin` is
    one of "folder", "git", "package".
    """

    kit: str | None
    root: Path
    revision: str | None
    origin: str = "folder"

    @property
    def name(self) -> str:
        """The kit's name, or the folder's where it is none of the kits."""
        return self.kit or self.root.name


@dataclass(frozen=True, slots=True)
class TrainingFiles:
    """How many files train, each in one of five parts.

    It has a hook, one is planned, a hook in another file covers it, its hook cannot be placed, or
    it is left alone. Of the covered ones `later` are so by a hook that is only planned.
    """

    hooked: int = 0
    planned: int = 0
    covered: int = 0
    unplaced: int = 0
    left_alone: int = 0
    later: int = 0

    @property
    def total(self) -> int:
        """All files that train."""
        return self.hooked + self.planned + self.covered + self.unplaced + self.left_alone

    def to_json(self) -> dict[str, int]:
        """The object `training_files` in `apply --json` and `check --json`."""
        return named(self, "total", "hooked", "planned", "covered", "unplaced", "left_alone")


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """All that one run would do to one source: the input of every sink.

    `training` are the files that differentiate a loss, wrap a model or fit one, `kit_faults` what
    is wrong with the kit's own hooks and is mended.
    """

    source: Source
    hooks: tuple[Hook, ...] = ()
    edits: tuple[Edit, ...] = ()
    changes: tuple[FileChange, ...] = ()
    skipped: tuple[Skip, ...] = field(default=())
    training: frozenset[str] = frozenset()
    kit_faults: tuple[KitFault, ...] = ()

    @property
    def training_files(self) -> TrainingFiles:
        """The files that train, counted by what became of them."""
        hooked = {hook.file for hook in self.hooks if hook.exists}
        planned = {hook.file for hook in self.hooks if hook.status is Status.INSERTED} - hooked
        unplaced = {hook.file for hook in self.hooks} - hooked - planned
        there = {hook.place for hook in self.hooks if hook.status is not Status.UNPLACED}
        covered = {skip.file for skip in self.skipped if skip.covered_by in there}
        # The hook that would cover it could not be written.
        unplaced |= {skip.file for skip in self.skipped if skip.covered} - covered
        unplaced -= hooked | planned
        covered -= hooked | planned | unplaced
        own, new, elsewhere, without = (
            len(self.training & part) for part in (hooked, planned, covered, unplaced)
        )
        rest = len(self.training) - own - new - elsewhere - without
        there = {hook.place for hook in self.hooks if hook.exists}
        later = {skip.file for skip in self.skipped if skip.covered_by not in there} & covered
        return TrainingFiles(own, new, elsewhere, without, rest, len(self.training & later))

    @property
    def idle(self) -> dict[str, list[Hook]]:
        """The kit's own hooks that the change shuts off, by the file of the edit that does it."""
        globs = [(e.file, glob) for e in self.edits if e.origin for glob in e.origin.idles]
        found: dict[str, list[Hook]] = {}
        for hook in self.hooks:
            path = next((path for path, glob in globs if fnmatchcase(hook.file, glob)), None)
            if path and hook.status is Status.PRESENT:
                found.setdefault(path, []).append(hook)
        return found

    @property
    def lines_added(self) -> int:
        """How many lines the edits bring."""
        return sum(edit.lines_added for edit in self.edits)

    @property
    def lines_removed(self) -> int:
        """How many lines the edits take away."""
        return sum(edit.lines_removed for edit in self.edits)

    @property
    def wants_a_human(self) -> bool:
        """Whether a hook could not be placed, or a file that matters not be read."""
        unplaced = any(hook.status is Status.UNPLACED for hook in self.hooks)
        return unplaced or any(skip.fault for skip in self.skipped)

    def to_json(self, root: str) -> dict[str, Any]:
        """The object that `apply --json` and `diff --json` print; `root` as the user named it."""
        return {
            "kit": self.source.kit,
            "root": root,
            "revision": self.source.revision,
            "hooks": [hook.to_json() for hook in self.hooks],
            "edits": [edit.to_json() for edit in self.edits],
            "files_changed": len(self.changes),
            "lines_added": self.lines_added,
            "lines_removed": self.lines_removed,
            "skipped": [skip.to_json() for skip in self.skipped],
            "training_files": self.training_files.to_json(),
        }
