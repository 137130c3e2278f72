"""What the configs that do not train as they should need, the cause that holds up most first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import product

from codemod.base.grouping import grouped
from codemod.hazards import Mode
from codemod.hazards.catalog import CATALOG
from codemod.hazards.hazard import SEVERE
from codemod.judging.evidence.result import RAN
from codemod.reports.survey.causes import cause_of, cause_remedy, cause_text
from codemod.reports.survey.cells import best_of, is_bad
from codemod.reports.survey.rows import PADDLES, SAME, ConfigVerdict, KitSurvey, Row
from codemod.reports.survey.words import Words
from codemod.training.runner import STATIC_MODES

_HAZARDS = {hazard.id: hazard for hazard in CATALOG}


@dataclass(frozen=True, slots=True)
class _What:
    """What is in the way, in words, and the name of the cause, if it has one."""

    text: str
    cause: str = ""


@dataclass(slots=True)
class _Cause:
    """One cause by kit and path: whether a run, an alike run or the code alone shows it."""

    shown: dict[tuple[str, str], set[str]] = field(default_factory=lambda: defaultdict(set))
    where: set[tuple[str, str]] = field(default_factory=set)

    def count(self, *sources: str) -> int:
        """How many configs have it by one of these sources."""
        return sum(bool(found.intersection(sources)) for found in self.shown.values())


@dataclass(frozen=True, slots=True)
class Obstacle:
    """One line: the cause, what takes it away, and in how many configs.

    `ran` were run and fail for it, `alike` build the same as one of these, `read` have it by their
    code alone. `frees` of `ran` and `alike` have no other cause.
    """

    what: str
    remedy: str
    where: tuple[tuple[str, str], ...]
    frees: int
    ran: int
    alike: int
    read: int


def needs(kits: Iterable[KitSurvey], words: Words) -> list[Obstacle]:
    """The needs of all configs that were run and are not equal, or build the same as one."""
    causes: dict[_What, _Cause] = defaultdict(_Cause)
    for kit in kits:
        for row in kit.rows:
            _collect(kit.kit, row, causes, words)
    single = _single(causes)
    listed = [
        Obstacle(
            what.text,
            cause_remedy(what.cause, words) if what.cause else "",
            tuple(sorted(cause.where)),
            sum(single.get(path) == what for path in cause.shown),
            cause.count(*RAN),
            cause.count(SAME),
            cause.count("hazards"),
        )
        for what, cause in causes.items()
        if cause.count(*RAN, SAME)
    ]
    return sorted(listed, key=lambda n: (-n.frees, -n.ran - n.alike, -n.read, n.what))


def _collect(kit: str, row: Row, causes: dict[_What, _Cause], words: Words) -> None:
    for column in product(STATIC_MODES, PADDLES):
        for path, verdict in best_of(row, *column).items():
            if is_bad(verdict):
                cause = causes[_what(kit, row, path, verdict, words)]
                cause.shown[kit, path].add(verdict.source)
                if verdict.source != "hazards":
                    cause.where.add(column)


def _what(kit: str, row: Row, path: str, verdict: ConfigVerdict, words: Words) -> _What:
    """The cause by the run or by the code; else the verdict, which nothing explains."""
    cause = cause_of(kit, path, verdict) or _read(row, path, verdict)
    if cause:
        return _What(cause_text(cause, words), cause)
    shown = words("verdicts", verdict.verdict)
    return _What(f"{shown}: {words('document', 'unexplained')}")


def _read(row: Row, path: str, verdict: ConfigVerdict) -> str:
    """The first hazard that the code shows for the same mode and Paddle, or nothing.

    A doubtful one counts too: here something did fail.
    """
    key = (verdict.mode, verdict.paddle)
    found = [
        other.hazard
        for other in row.verdicts.get(path, ())
        if (other.mode, other.paddle) == key and other.source == "hazards" and other.hazard
    ]
    return next((id_ for id_ in found if _HAZARDS[id_].effect(Mode(key[0]), key[1]) in SEVERE), "")


def _single(causes: dict[_What, _Cause]) -> dict[tuple[str, str], _What]:
    """By config, its one cause; those with several are left out."""
    of = grouped(
        (path, what)
        for what, cause in causes.items()
        for path, sources in cause.shown.items()
        if sources & {*RAN, SAME}
    )
    return {path: found[0] for path, found in of.items() if len(found) == 1}
