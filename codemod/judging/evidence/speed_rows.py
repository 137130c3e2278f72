"""Verdicts of speed, a line each: `evidence/speed/<Kit>.jsonl`, and those of the workspace."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codemod.base.data_folder import data_folders, folder_to_write, user_folder
from codemod.base.errors import CodemodError
from codemod.base.json_form import from_json, to_json
from codemod.base.reason import Reason  # noqa: TC001 - the form of a row is read from its types
from codemod.base.shared_file import DamagedFileError, held, lines_of, read_bytes, replace_file
from codemod.judging.evidence.digests import checked, with_digest, without_digest
from codemod.judging.evidence.rows import bad_names
from codemod.judging.speed import Ratio, SpeedVerdict  # noqa: TC001 - as above

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from codemod.base.workspace import Workspace

EVIDENCE, FOLDER = "evidence", "speed"


@dataclass(frozen=True, slots=True)
class ChangingShapes:
    """What changing batches cost: programs, milliseconds a step with all compiling in it, peak MB.

    `own` are batches as the kit makes them, `fixed` the first one over and over.
    """

    own_programs: int
    fixed_programs: int
    own_ms: float
    fixed_ms: float
    own_mb: float
    fixed_mb: float


@dataclass(frozen=True, slots=True)
class SpeedRow:
    """The speed of one static mode of a config: `ratio` is dynamic time over static time.

    `clock` says by which time: "processor" on a CPU, where other work lengthens the wall's, "wall"
    on a card; `other` is the ratio by the other one. `threads` compute on a CPU. `load` are the
    least and the most of the machine's load average. `dynamic_ms` and `static_ms` are medians of a
    step, the loader (`loader_ms`) apart. `compile_s` went to compiling, `programs` were made
    after warm-up, `pays_off` counts the steps until compiling has paid off. `memory_mb` is
    each side's peak, alone. `said` are the reasons, `causes` those that hold on any device.
    `runs` tells how many processes and steady pairs there were.
    """

    kit: str
    config: str
    paddle: str
    mode: str
    device: str
    verdict: SpeedVerdict
    machine: str = ""
    threads: int = 1
    load: tuple[float, ...] = ()
    clock: str = "processor"
    ratio: Ratio | None = None
    parts: dict[str, Ratio] = field(default_factory=dict)
    other: Ratio | None = None
    dynamic_ms: float | None = None
    static_ms: float | None = None
    loader_ms: float | None = None
    compile_s: float | None = None
    pays_off: int | None = None
    programs: int = 0
    memory_mb: dict[str, float] = field(default_factory=dict)
    shapes: ChangingShapes | None = None
    said: tuple[Reason, ...] = ()
    causes: tuple[Reason, ...] = ()
    runs: dict[str, int] = field(default_factory=dict)
    options: tuple[str, ...] = ()
    revision: str | None = None
    hook: str = ""
    date: str = ""
    kind: str = "speed"

    @property
    def place(self) -> tuple[str, ...]:
        """What it speaks of: a newer row of one place takes the older one's."""
        return (self.config, self.paddle, self.mode, self.device, *self.options)

    def to_line(self) -> str:
        """The row as one line of JSON."""
        return with_digest(to_json(self))


def read_speed(kit: str, workspace: Workspace | None = None) -> tuple[SpeedRow, ...]:
    """The rows of a kit that are on record; those of the workspace count more.

    A line that is not a row is left out, and so says nothing.
    """
    places = [folder / EVIDENCE / FOLDER for folder in (*reversed(data_folders()), user_folder())]
    places += [workspace.root / FOLDER] if workspace else []
    found = {row.place: row for place in places for row in _read(place / f"{kit}.jsonl")[0]}
    return tuple(found.values())


def speed_of(
    rows: Iterable[SpeedRow], config: str, paddle: str, device: str | None
) -> dict[str, SpeedRow]:
    """The rows of one config by mode, without options of the user's."""
    return {
        row.mode: row
        for row in rows
        if (row.config, row.paddle, row.device, row.options) == (config, paddle, device, ())
    }


def keep_speed(workspace: Workspace, kit: str, rows: Iterable[SpeedRow]) -> Path:
    """Add rows to the workspace's own; returns their file.

    Raises:
        DamagedFileError: a line of the file cannot be read; nothing is written.
        EnvironmentFault: the file cannot be read or written.
    """
    file = workspace.make(FOLDER) / f"{kit}.jsonl"
    with held(file):
        _write(file, [*_whole(file), *rows])
    return file


def add_speed(workspace: Workspace, folder: Path | None = None) -> dict[str, int]:
    """Take the workspace's rows into the base; how many the base's file then holds, by kit.

    `folder` is as in `base.add_rows`.

    Raises:
        DamagedFileError: a line of either file cannot be read; nothing is written for that kit.
        EnvironmentFault: a file cannot be read or written.
    """
    made = {}
    for file in sorted((workspace.root / FOLDER).glob("*.jsonl")):
        target = (folder or folder_to_write()) / EVIDENCE / FOLDER / file.name
        with held(target):
            made[file.stem] = _write(target, [*_whole(target), *_whole(file)])
    return made


def speed_files() -> tuple[Path, ...]:
    """The files of the base; of two of one name that of `CODEMOD_DATA`; last the user's own."""
    found: dict[str, Path] = {}
    for folder in data_folders():
        for file in sorted((folder / EVIDENCE / FOLDER).glob("*.jsonl")):
            found.setdefault(file.name, file)
    own = sorted((user_folder() / EVIDENCE / FOLDER).glob("*.jsonl"))
    return (*(found[name] for name in sorted(found)), *own)


def verify_speed(file: Path) -> list[str]:
    """What is wrong with a file of the base, a sentence each; none where nothing is."""
    rows, damaged = _read(file)
    found = [f"{place}: {why.removesuffix('.')}." for place, why in damaged.items()]
    places = [row.place for row in rows]
    if not found and places != sorted(set(places)):
        found.append(f"{file}: the rows are not sorted, or one stands twice.")
    return found or without_digest(file)


def _read(file: Path) -> tuple[list[SpeedRow], dict[str, str]]:
    """The rows of a file, and FILE:LINE of those that are none, with the reason."""
    try:
        data = read_bytes(file) or b""
    except CodemodError as error:
        return [], {str(file): str(error)}
    rows: list[SpeedRow] = []
    damaged: dict[str, str] = {}
    for line in lines_of(data):
        row = line.fault or _read_line(line.text, file.stem)
        if isinstance(row, str):
            damaged[f"{file}:{line.number}"] = row
        else:
            rows.append(row)
    return rows, damaged


def _read_line(line: str, kit: str) -> SpeedRow | str:
    """The row on a line, or why it is none of this kit's."""
    try:
        content = json.loads(line)
        row = from_json(SpeedRow, content)
        if row.kit != kit:
            return f"a row is of {row.kit!r}, which has a file of its own"
        checked(content)
    except (ValueError, RecursionError) as error:
        return f"it is not a row of speed ({str(error) or 'nested too deeply'})"
    return bad_names(row.kit, (row.config,), (row.mode, row.paddle)) or row


def _whole(file: Path) -> list[SpeedRow]:
    rows, damaged = _read(file)
    for place, why in damaged.items():
        raise DamagedFileError(
            f"{place} cannot be read: {why.removesuffix('.')}. Nothing is written.",
            "Mend the line or take it out, then run this again.",
        )
    return rows


def _write(file: Path, rows: Iterable[SpeedRow]) -> int:
    """Write rows whole or not at all: sorted, a line each, the last one of a place."""
    known = {row.place: row for row in rows}
    lines = [known[place].to_line() for place in sorted(known)]
    replace_file(file, "".join(f"{line}\n" for line in lines).encode("utf-8"))
    return len(lines)
