"""The base of evidence: `evidence/<Kit>.jsonl`, what was measured, kept with the project."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import pairwise, starmap
from pathlib import Path
from typing import Any

from codemod.base.files.data_folder import folder_to_write, named_folder, user_folder
from codemod.base.files.shared_file import held, replace_file
from codemod.base.grouping import grouped
from codemod.judging.evidence import shared_maps
from codemod.judging.evidence.digests import without_digest
from codemod.judging.evidence.line_files import EVIDENCE, FileLines, LineFiles
from codemod.judging.evidence.result import Result
from codemod.judging.evidence.rows import EvidenceRow, content_of, row_of
from codemod.judging.evidence.shared_maps import SHARED, map_of
from codemod.judging.verdict import Verdict

FOLDER = EVIDENCE


class _RowFiles(LineFiles[EvidenceRow]):
    def reader(self, kit: str) -> Callable[[str], EvidenceRow | str | None]:
        """What reads rows, and the maps that they share."""
        maps: dict[str, Any] = {}

        def read(line: str) -> EvidenceRow | str | None:
            try:
                content = content_of(line)
                if SHARED in content:
                    maps.update(map_of(content, maps))
                    return None
                row = row_of(shared_maps.whole(content, maps))
            except ValueError as error:
                return str(error)
            return row if row.kit == kit else f"`kit` is {row.kit!r}, which has a file of its own"

        return read


# `from_line` looks at the names in a row.
_ROWS = _RowFiles("", "row", EvidenceRow, lambda row: "")
files, read_file, whole = _ROWS.files, _ROWS.read_file, _ROWS.whole


def read_base(kit: str) -> FileLines[EvidenceRow]:
    """The rows of a kit; a line that is not a row is left out and named."""
    found = [read_file(file) for file in files(kit)]
    if len(found) == 1:
        return found[0]
    rows: tuple[EvidenceRow, ...] = ()
    damaged: dict[str, str] = {}
    for one in found:
        rows, damaged = merge(rows, one.rows), damaged | one.damaged
    return FileLines(rows, damaged)


def add_rows(
    kit: str, new: Iterable[EvidenceRow], folder: Path | None = None
) -> tuple[Path, tuple[EvidenceRow, ...]]:
    """Merge rows of a kit into its file in `folder`, by default that of `folder_to_write`.

    Returns the file and all that it then holds. Others who add at the same time wait.

    Raises:
        DamagedFileError: a line of the file cannot be read; nothing is written.
        EnvironmentFault: the file cannot be read or written.
    """
    file = (folder or folder_to_write()) / FOLDER / f"{kit}.jsonl"
    with held(file):
        # A file in the user's data folder takes the place of the tool's own, whose rows it keeps.
        start = file if file.exists() or folder else next(iter(_replaced(file, kit)), file)
        rows = merge(whole(start), new)
        _write(file, rows)
    return file, rows


def _replaced(file: Path, kit: str) -> list[Path]:
    """The file of the tool's own that a new `file` of `CODEMOD_DATA` would hide."""
    named = named_folder()
    if named is None or file.parent != named / FOLDER:
        return []
    return [one for one in files(kit) if one.parent != user_folder() / FOLDER]


def write_base(file: Path, rows: Iterable[EvidenceRow]) -> None:
    """Write rows whole or not at all: sorted, a row a line.

    Raises:
        EnvironmentFault: the file cannot be written.
    """
    with held(file):
        _write(file, rows)


def _write(file: Path, rows: Iterable[EvidenceRow]) -> None:
    made = {row.to_line(): row for row in rows}
    lines = sorted(made, key=lambda line: (*_order(made[line]), line))
    text = "".join(f"{line}\n" for line in shared_maps.shared(lines))
    replace_file(file, text.encode("utf-8"))


def _order(row: EvidenceRow) -> tuple[object, ...]:
    return (*row.place, row.date)


def _are_ordered(one: EvidenceRow, other: EvidenceRow) -> bool:
    before, after = _order(one), _order(other)
    return before < after or (before == after and one.to_line() <= other.to_line())


def merge(old: Iterable[EvidenceRow], new: Iterable[EvidenceRow]) -> tuple[EvidenceRow, ...]:
    """The rows of both.

    Of two rows of one place and one ground with the same verdict the newer stays; with other
    verdicts both stay, and `contradictions` names them. Of rows of other grounds the newer ones
    stay, but a run that could not be made never replaces one that was. A parity run of `old` that
    was judged again stands in `new` with its date, and is replaced.
    """
    again = tuple(new)
    runs = {(row.place, row.ground, row.date) for row in again if row.kind == "parity"}
    others = [row for row in old if (row.place, row.ground, row.date) not in runs]
    places = grouped((row.place, row) for row in (*others, *again))
    return tuple(row for group in places.values() for row in _merged(group))


def _merged(group: list[EvidenceRow]) -> list[EvidenceRow]:
    made = [row for row in group if row.verdict is not Verdict.NOT_RUN] or group
    newest = max(made, key=lambda row: row.date)
    kept: dict[Verdict, EvidenceRow] = {}
    for row in sorted(made, key=lambda row: row.date):
        if row.ground == newest.ground:
            kept[row.told] = row
    return list(kept.values())


def contradictions(rows: Iterable[EvidenceRow]) -> tuple[tuple[EvidenceRow, ...], ...]:
    """Rows of one place that give different verdicts on one ground."""
    groups = grouped(((*row.place, row.ground), row) for row in rows)
    return tuple(tuple(g) for g in groups.values() if len({row.told for row in g}) > 1)


def _run_of(row: EvidenceRow) -> tuple[object, ...]:
    """What the modes of one run have in common."""
    made_with = (row.revision, row.options, row.hook, row.recorder, row.date)
    return (row.config, row.paddle, row.device, *made_with)


def parity_results(kit: str) -> tuple[Result, ...]:
    """The parity runs of a kit in the base, the modes of one run together."""
    rows = (row for row in read_base(kit).rows if row.kind == "parity")
    runs = grouped((_run_of(row), row) for row in rows)
    return tuple(
        replace(
            group[0].to_result(),
            modes={mode: one for row in group for mode, one in row.to_result().modes.items()},
        )
        for group in runs.values()
    )


def told_families(kit: str, paddle: str) -> frozenset[str]:
    """The families of a kit of which a probe in the base ran on that Paddle."""
    return frozenset(
        row.family
        for row in read_base(kit).rows
        if row.kind == "probe" and row.paddle == paddle and row.dynamic == "ok"
    )


def verify(file: Path) -> list[str]:
    """What is wrong with a file of the base, a sentence each; none where nothing is."""
    base = read_file(file)
    found = [f"{place}: {why}." for place, why in base.damaged.items()]
    seen: dict[tuple[object, ...], EvidenceRow] = {}
    for row in base.rows:
        key = (*row.place, row.ground, row.told)
        if key in seen:
            found.append(f"{file}: {row_place(row)} stands twice.")
        seen[key] = row
    for group in contradictions(base.rows):
        verdicts = ", ".join(f"{row.told} ({row.date or 'no date'})" for row in group)
        found.append(f"{file}: {row_place(group[0])} is contradictory: {verdicts}.")
    if not found and not all(starmap(_are_ordered, pairwise(base.rows))):
        found.append(f"{file}: the rows are not sorted.")
    return found if base.damaged else found + without_digest(file)


def row_place(row: EvidenceRow) -> str:
    """The place of a row in words."""
    return f"{row.config} in {row.mode} on Paddle {row.paddle} ({row.kind}, {row.device})"
