"""The workspace's results, taken into the base of evidence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from codemod.base.files.workspace import Workspace
from codemod.base.grouping import grouped
from codemod.judging.evidence import base, result_files
from codemod.judging.evidence.rows import EvidenceRow, fault_of, rows_of
from codemod.judging.verdict import ended_from_outside
from codemod.work.standing import grounds_of


@dataclass(frozen=True, slots=True)
class AddedRows:
    """What one kit's file of the base holds after its `results` were added.

    `left_out` are rows of runs that were ended from outside, by a signal or by a time limit that
    left them too little.
    """

    kit: str
    results: int
    rows: tuple[EvidenceRow, ...]
    file: Path
    left_out: tuple[EvidenceRow, ...]


def results_of(place: Workspace) -> result_files.KeptResults:
    """The results of parity runs and probes that can be added; those interrupted are left out."""
    sound: list[result_files.KeptResult] = []
    damaged: dict[Path, str] = {}
    for folder in (result_files.PROBE_FOLDER, result_files.PARITY_FOLDER):
        read = result_files.read_results(place.root / folder)
        faults = {one.file: why for one in read.results if (why := fault_of(one.result))}
        damaged |= read.damaged | faults
        whole = (one for one in read.results if one.file not in faults)
        sound += (one for one in whole if not one.result.interrupted)
    return result_files.KeptResults(tuple(sound), damaged)


def add_rows(
    found: result_files.KeptResults, place: Workspace, to: Path | None
) -> Iterator[AddedRows]:
    """Add the rows of each kit's results, kit by kit; `to` is as in `base.add_rows`.

    Raises:
        DamagedFileError: a line of a file cannot be read; that file is left as it is.
    """
    by_kit = grouped((kept.result.kit, kept) for kept in found.results)
    for kit, results in sorted(by_kit.items()):
        made = _rows(kit, results, place)
        ended = tuple(row for row in made if ended_from_outside(row.said))
        file, rows = base.add_rows(kit, (row for row in made if row not in ended), to)
        yield AddedRows(kit, len(results), rows, file, ended)


def _rows(kit: str, results: list[result_files.KeptResult], place: Workspace) -> list[EvidenceRow]:
    ground = grounds_of(kit, place)
    made: list[EvidenceRow] = []
    for kept in results:
        result = kept.result
        same = ground is not None and result.revision == ground.revision
        rests_on = ground.digest(result.config) if ground is not None and same else None
        when = datetime.fromtimestamp(kept.measured, timezone.utc)
        date = result.date or when.isoformat(timespec="seconds")
        made += rows_of(result, date, rests_on)
    return made
