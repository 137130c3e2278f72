"""What the configs that do not train as they should need, the cause that holds up most first."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from codemod.base.grouping import grouped, grouped_once
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


# What is in the way, in words, and the name of the cause, if it has one.
_What = tuple[str, str]
# Where a cause shows: the kit and the path of a config, what it is known by, mode and Paddle.
_Seen = tuple[tuple[str, str], str, tuple[str, str]]


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
    causes = grouped(one for kit in kits for row in kit.rows for one in _bad(kit.kit, row, words))
    single = _single(causes)
    listed = [
        Obstacle(
            what[0],
            cause_remedy(what[1], words) if what[1] else "",
            tuple(sorted({column for _, source, column in seen if source != "hazards"})),
            single.count(what),
            _count(seen, *RAN),
            _count(seen, SAME),
            _count(seen, "hazards"),
        )
        for what, seen in causes.items()
        if _count(seen, *RAN, SAME)
    ]
    return sorted(listed, key=lambda n: (-n.frees, -n.ran - n.alike, -n.read, n.what))


def _bad(kit: str, row: Row, words: Words) -> Iterator[tuple[_What, _Seen]]:
    """What stands in the way of a row's configs, in each static mode on each Paddle."""
    for column in product(STATIC_MODES, PADDLES):
        for path, verdict in best_of(row, *column).items():
            if is_bad(verdict):
                yield _what(kit, row, path, verdict, words), ((kit, path), verdict.source, column)


def _count(seen: Iterable[_Seen], *sources: str) -> int:
    """How many configs have it by one of these sources."""
    return len({config for config, source, _ in seen if source in sources})


def _what(kit: str, row: Row, path: str, verdict: ConfigVerdict, words: Words) -> _What:
    """The cause by the run or by the code; else the verdict, which nothing explains."""
    cause = cause_of(kit, path, verdict) or _read(row, path, verdict)
    if cause:
        return cause_text(cause, words), cause
    shown = words("verdicts", verdict.verdict)
    return f"{shown}: {words('document', 'unexplained')}", ""


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


def _single(causes: Mapping[_What, Iterable[_Seen]]) -> list[_What]:
    """The cause of each config that has no other by a run."""
    of = grouped_once(
        (config, what)
        for what, seen in causes.items()
        for config, source, _ in seen
        if source in (*RAN, SAME)
    )
    return [found[0] for found in of.values() if len(found) == 1]
