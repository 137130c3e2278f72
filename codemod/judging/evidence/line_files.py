"""A folder of evidence with a file a kit, a line a record: of the base, and of the workspace."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from codemod.base.errors import CodemodError
from codemod.base.files.data_folder import data_folders, folder_to_write, user_folder
from codemod.base.files.shared_file import (
    DamagedFileError,
    held,
    lines_of,
    read_bytes,
    replace_file,
)
from codemod.base.files.workspace import Workspace
from codemod.base.json_form import from_json, to_json
from codemod.judging.evidence.digests import checked, with_digest, without_digest

EVIDENCE = "evidence"


class FiledLine(Protocol):
    """What a line says. `place` is what it is of: of two of one place, the later counts."""

    @property
    def kit(self) -> str:
        """The kit, whose name the file has."""

    @property
    def place(self) -> tuple[str, ...]:
        """What it is of."""


Kept = TypeVar("Kept", bound=FiledLine)


@dataclass(frozen=True, slots=True)
class FileLines(Generic[Kept]):
    """What a file holds; `damaged` names FILE:LINE of the lines that are none, with the reason."""

    rows: tuple[Kept, ...] = ()
    damaged: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class LineFiles(Generic[Kept]):
    """The files of one folder; `noun` is what a record is called, `form` its class.

    `bad` tells why a record may not be kept for the names that it holds, "" if it may. `join` makes
    one of two of a place, the earlier first; without it the later one counts.
    """

    folder: str
    noun: str
    form: type[Kept]
    bad: Callable[[Kept], str]
    join: Callable[[Kept, Kept], Kept] = lambda _, later: later

    def read(self, kit: str, workspace: Workspace | None = None) -> tuple[Kept, ...]:
        """The records of a kit that are on file; those of the workspace count more.

        A line that is none is left out, and so says nothing.
        """
        folders = (*reversed(data_folders()), user_folder())
        places = [folder / EVIDENCE / self.folder for folder in folders]
        places += [workspace.root / self.folder] if workspace else []
        files = [place / f"{kit}.jsonl" for place in places]
        return tuple(
            {one.place: one for file in files for one in self.read_file(file).rows}.values()
        )

    def read_file(self, file: Path) -> FileLines[Kept]:
        """The records of a file; none where there is no file."""
        try:
            data = read_bytes(file) or b""
        except CodemodError as error:
            return FileLines((), {str(file): str(error)})
        found: list[Kept] = []
        damaged: dict[str, str] = {}
        read = self.reader(file.stem)
        for line in lines_of(data):
            one = line.fault or read(line.text)
            if isinstance(one, str):
                damaged[f"{file}:{line.number}"] = one
            elif one is not None:
                found.append(one)
        return FileLines(tuple(found), damaged)

    def reader(self, kit: str) -> Callable[[str], Kept | str | None]:
        """What reads the lines of one file of a kit, in order; None is a line without a record."""
        return lambda line: self.read_line(line, kit)

    def read_line(self, line: str, kit: str) -> Kept | str:
        """The record on a line, or why it is none of this kit's."""
        try:
            content: Any = json.loads(line)
            one = from_json(self.form, content)
            if one.kit != kit:
                return f"a {self.noun} is of {one.kit!r}, which has a file of its own"
            checked(content)
        except (ValueError, RecursionError) as error:
            return f"it is not a {self.noun} ({str(error) or 'nested too deeply'})"
        return self.bad(one) or one

    def whole(self, file: Path) -> tuple[Kept, ...]:
        """The records of a file in which every line is one.

        Raises:
            DamagedFileError: a line is none, or the file cannot be read.
        """
        found = self.read_file(file)
        for place, why in found.damaged.items():
            more = f" ({len(found.damaged) - 1} more)" if len(found.damaged) > 1 else ""
            raise DamagedFileError(
                f"{place} cannot be read: {why.removesuffix('.')}{more}. "
                "The file is left as it is.",
                "Mend the line or take it out, then run this again; `codemod evidence verify` "
                "lists all of them.",
            )
        return found.rows

    def write(self, file: Path, records: Iterable[Kept]) -> int:
        """Write records whole or not at all: sorted, a line each; how many. The caller holds it.

        Raises:
            EnvironmentFault: the file cannot be written.
        """
        known: dict[tuple[str, ...], Kept] = {}
        for one in records:
            before = known.get(one.place)
            known[one.place] = self.join(before, one) if before else one
        lines = [with_digest(to_json(known[place])) for place in sorted(known)]
        replace_file(file, "".join(f"{line}\n" for line in lines).encode("utf-8"))
        return len(lines)

    def keep(self, workspace: Workspace, kit: str, records: Iterable[Kept]) -> None:
        """Add records of a kit to the workspace's own.

        Raises:
            DamagedFileError: a line of the file cannot be read; nothing is written.
            EnvironmentFault: the file cannot be read or written.
        """
        file = workspace.make(self.folder) / f"{kit}.jsonl"
        with held(file):
            self.write(file, [*self.whole(file), *records])

    def add(self, workspace: Workspace, folder: Path | None = None) -> dict[str, int]:
        """Take the workspace's records into the base; how many its file then holds, by kit.

        `folder` is as in `base.add_rows`.

        Raises:
            DamagedFileError: a line of either file cannot be read; nothing is written for that kit.
            EnvironmentFault: a file cannot be read or written.
        """
        made = {}
        for file in sorted((workspace.root / self.folder).glob("*.jsonl")):
            target = (folder or folder_to_write()) / EVIDENCE / self.folder / file.name
            with held(target):
                made[file.stem] = self.write(target, [*self.whole(target), *self.whole(file)])
        return made

    def files(self, kit: str | None = None) -> tuple[Path, ...]:
        """The files of the base, of one kit or of all.

        Of two of one name that of `CODEMOD_DATA` counts in place of the tool's own. The user's own
        additions come last, and are read beside the others.
        """
        found: dict[str, Path] = {}
        for folder in data_folders():
            for file in self._files_in(folder, kit):
                found.setdefault(file.name, file)
        own = self._files_in(user_folder(), kit)
        return (*(found[name] for name in sorted(found)), *own)

    def _files_in(self, folder: Path, kit: str | None) -> list[Path]:
        return sorted((folder / EVIDENCE / self.folder).glob(f"{kit or '*'}.jsonl"))

    def verify(self, file: Path) -> list[str]:
        """What is wrong with a file of the base, a sentence each; none where nothing is."""
        held = self.read_file(file)
        found = [f"{place}: {why.removesuffix('.')}." for place, why in held.damaged.items()]
        places = [one.place for one in held.rows]
        if not found and places != sorted(set(places)):
            found.append(f"{file}: the lines are not sorted, or one stands twice.")
        return found or without_digest(file)
