"""Where an id is on record: the configs of the base's rows, and of the proofs of fixes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from codemod.judging.evidence.base import read_base
from codemod.judging.evidence.fix_proofs import PROOFS, Dynamic, FixProof
from codemod.judging.evidence.rows import EvidenceRow
from codemod.kits.catalogue import load_kits
from codemod.reports.survey.causes import cause_of
from codemod.reports.survey.rows import ConfigVerdict


@dataclass(frozen=True, slots=True)
class OnRecord:
    """A config of a kit in which something was seen; `mode` is empty for a proof."""

    kit: str
    config: str
    paddle: str
    mode: str = ""


def counted(places: Iterable[OnRecord]) -> dict[str, int]:
    """How many there are, by kit."""
    found: dict[str, int] = defaultdict(int)
    for one in places:
        found[one.kit] += 1
    return dict(found)


def listed(places: Iterable[OnRecord]) -> tuple[str, ...]:
    """Kit and config with the modes and Paddles: `Kit a.yml (AST 2.6.2, SOT 2.6.2)`."""
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for one in places:
        found[f"{one.kit} {one.config}"][f"{one.mode.upper()} {one.paddle}".strip()] = None
    return tuple(f"{config} ({', '.join(sorted(on))})" for config, on in found.items())


def of_hazard(id_: str) -> tuple[OnRecord, ...]:
    """The runs whose verdict the hazard explains."""
    return tuple(_place(row) for row in _rows() if row.hazard and row.hazard.id == id_)


def of_verdict(verdict: str) -> tuple[OnRecord, ...]:
    """The runs that came to it."""
    return tuple(_place(row) for row in _rows() if row.told.value == verdict)


def of_difference(kind: str) -> tuple[OnRecord, ...]:
    """The runs whose first difference is of that class."""
    return tuple(_place(row) for row in _rows() if row.first and row.first.kind == kind)


def of_cause(id_: str) -> tuple[OnRecord, ...]:
    """The runs that the survey puts down to it."""
    return _by_cause().get(id_, ())


def proofs_of(start: str) -> tuple[OnRecord, ...]:
    """The proofs that hold a fix whose place begins like that, of sound dynamic training."""
    return tuple(
        OnRecord(proof.kit, proof.config, proof.paddle)
        for proof in _proofs()
        if any(one.startswith(start) for one in proof.fixes)
    )


@cache
def _by_cause() -> dict[str, tuple[OnRecord, ...]]:
    found: dict[str, tuple[OnRecord, ...]] = defaultdict(tuple)
    for row in _rows():
        figures = {"hazard": row.hazard.id if row.hazard else "", "first": _first(row)}
        told = ConfigVerdict(row.mode, row.paddle, row.verdict, "", figures=figures, said=row.said)
        if not row.verdict.passed and (cause := cause_of(row.kit, row.config, told)):
            found[cause] += (_place(row),)
    return dict(found)


def _first(row: EvidenceRow) -> str:
    return row.first.kind if row.first else ""


def _place(row: EvidenceRow) -> OnRecord:
    return OnRecord(row.kit, row.config, row.paddle, row.mode)


@cache
def _rows() -> tuple[EvidenceRow, ...]:
    return tuple(row for kit in load_kits() for row in read_base(kit).rows)


@cache
def _proofs() -> tuple[FixProof, ...]:
    sound = (Dynamic.EQUAL, Dynamic.MENDED)
    return tuple(one for kit in load_kits() for one in PROOFS.read(kit) if one.dynamic in sound)
