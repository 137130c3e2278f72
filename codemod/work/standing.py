"""The base of evidence: results taken into it, and which rows stand on today's code."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from codemod.base.files.shared_file import held
from codemod.base.files.workspace import Workspace
from codemod.base.grouping import grouped
from codemod.base.reason import Reason
from codemod.code.tree import Tree
from codemod.judging.evidence import base, result_files
from codemod.judging.evidence.convergence_rows import CONVERGENCE
from codemod.judging.evidence.fix_proofs import PROOFS
from codemod.judging.evidence.line_files import LineFiles
from codemod.judging.evidence.result import Result
from codemod.judging.evidence.rows import EvidenceRow, fault_of, rows_of
from codemod.judging.evidence.speed_rows import SPEED
from codemod.judging.verdict import ended_from_outside
from codemod.kits.catalogue import load_kits
from codemod.kits.config_rule import config_rule
from codemod.reports.survey import inventory, predictions
from codemod.reports.survey.families import catalogue
from codemod.reports.survey.grounds import Grounds, grounds, is_version, tree_fault
from codemod.work.planning import Request, root_and_plan

# What is kept as lines beside the rows.
LINES: dict[str, LineFiles[Any]] = {"proofs": PROOFS, "speed": SPEED, "convergence": CONVERGENCE}


@dataclass(frozen=True, slots=True)
class Standing:
    """The rows of one file: those that stand, and the others with the reason."""

    file: Path
    stand: tuple[EvidenceRow, ...]
    fallen: tuple[tuple[EvidenceRow, Reason], ...]


def grounds_of(kit: str, place: Workspace) -> Grounds | None:
    """What the kit's configs rest on in the workspace's checkout; None without one."""
    checkout = place.kits() / kit
    known = load_kits().get(kit)
    if known is None or not checkout.is_dir():
        return None
    _, made = root_and_plan(Request(kit, checkout, (), place.root))
    change_set = made.change_set()
    tree = Tree(change_set.source.root)
    found = inventory.take(known, config_rule(known), catalogue(kit), tree, change_set)
    models = predictions.scanned(tree, found.loaded)
    return grounds(change_set, tree, found, models)


def standing(file: Path, ground: Grounds, *, older: bool = False) -> Standing:
    """Hold each row of a file of the base against today's code.

    With `older`, rows whose recorder is told by a checksum, as before it had versions, do not
    stand.

    Raises:
        DamagedFileError: a line of the file cannot be read.
    """
    stand: list[EvidenceRow] = []
    fallen: list[tuple[EvidenceRow, Reason]] = []
    for row in base.whole(file):
        why = ground.fault(row, row.config)
        if older and why is None and not is_version(row.recorder):
            why = Reason.of("reports.unnumbered-recorder")
        if why:
            fallen.append((row, why))
        else:
            stand.append(row)
    return Standing(file, tuple(stand), tuple(fallen))


def prune(place: Workspace, kit: str | None, *, older: bool = False) -> list[Standing | str]:
    """Take the rows that do not stand out of the base; kits without a checkout are named instead.

    The files are written anew, so that each line has its digest; of proofs those that stand.

    Raises:
        DamagedFileError: a line of a file cannot be read; that file is left as it is.
    """
    done: list[Standing | str] = []
    for file in base.files(kit):
        ground = grounds_of(file.stem, place)
        if ground is None:
            done.append(file.stem)
            continue
        found = standing(file, ground, older=older)
        base.write_base(file, found.stand)
        done.append(found)
    for file in PROOFS.files():
        if kit in (None, file.stem):
            with held(file):
                PROOFS.write(file, [proof for proof in PROOFS.whole(file) if proof.stands])
    return done


@dataclass(frozen=True, slots=True)
class Verified:
    """The files of the base that were looked at, what is wrong with them, a sentence each.

    `unheld` are the kits whose rows could not be held against a checkout.
    """

    files: tuple[Path, ...]
    findings: list[str]
    unheld: list[str]


def verify(place: Workspace) -> Verified:
    """Check the base: form, digests, order, contradictions, and, with a checkout, today's code."""
    rows = base.files()
    others = [(one, file) for one in LINES.values() for file in one.files()]
    found = Verified((*rows, *(file for _, file in others)), [], [])
    for file in rows:
        faults = base.verify(file)
        ground = None if faults else grounds_of(file.stem, place)
        if ground is None:
            found.unheld.append(file.stem)
            found.findings.extend(faults)
            continue
        found.findings.extend(
            f"{file}: {base.row_place(row)} does not stand: {why}."
            for row, why in standing(file, ground).fallen
        )
    for one, file in others:
        found.findings.extend(one.verify(file))
    for file in PROOFS.files():
        found.findings.extend(
            f"{file}: the proof of {one.config} on Paddle {one.paddle} compares no outputs: "
            f"codemod fix {one.kit} -c {one.config} --force."
            for one in PROOFS.read_file(file).rows
            if not one.stands
        )
    return found


@dataclass(frozen=True, slots=True)
class AddedRows:
    """What one kit's file of the base holds after its `results` were added.

    `left_out` are rows of runs that were ended from outside, by a signal or by a time limit that
    left them too little; `foreign` are, by the reason, results that are not of the revision that
    they name, or do not stand on today's code.
    """

    kit: str
    results: int
    rows: tuple[EvidenceRow, ...]
    file: Path
    left_out: tuple[EvidenceRow, ...]
    foreign: dict[Reason, tuple[Result, ...]]


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
        ground = grounds_of(kit, place)
        by_fault = grouped((_fault(kept, ground), kept) for kept in results)
        made = [row for kept in by_fault.pop(None, ()) for row in _rows(kept, ground)]
        ended = tuple(row for row in made if ended_from_outside(row.said))
        file, rows = base.add_rows(kit, (row for row in made if row not in ended), to)
        foreign = {
            why: tuple(kept.result for kept in group) for why, group in by_fault.items() if why
        }
        yield AddedRows(kit, len(results), rows, file, ended, foreign)


def _fault(kept: result_files.KeptResult, ground: Grounds | None) -> Reason | None:
    """Why `verify` would call the rows of a result a finding, or it is of another tree; or None."""
    if ground is None:
        return tree_fault(kept.result, None)
    why = ground.revision_fault(kept.result)
    faults = (ground.fault(row, row.config) for row in _rows(kept, ground))
    return why or next(filter(None, faults), None)


def _rows(kept: result_files.KeptResult, ground: Grounds | None) -> tuple[EvidenceRow, ...]:
    result = kept.result
    same = ground is not None and result.revision == ground.revision
    rests_on = ground.digest(result.config) if ground is not None and same else None
    when = datetime.fromtimestamp(kept.measured, timezone.utc)
    date = result.date or when.isoformat(timespec="seconds")
    return tuple(rows_of(result, date, rests_on))
