"""Which statements of a change the cited runs have executed, by the lines that each run noted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from codemod.base.changeset import ChangeSet
from codemod.engine.hook_files import digest
from codemod.engine.rewrite.rewritten import unexecuted
from codemod.reports.pullrequest.claims.cited_evidence import CitedEvidence, CitedRun
from codemod.training.reads import from_ranges


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of `total` statements in functions, how many were executed with the switch off, and on.

    `never` are the places (`FILE:LINE`) that no run has executed.
    """

    total: int
    off: int
    on: int
    never: tuple[str, ...]


def coverage(
    change_set: ChangeSet, rows: Iterable[CitedRun], left_out: Collection[str] = ()
) -> Coverage | None:
    """What the runs on these very files executed; None where none noted a line of them.

    Statements at the places `left_out` (`FILE:LINE`) are not counted.
    """
    states = {change.path: digest(change.new) for change in change_set.changes}
    cited = list(rows)
    off = {place for row in cited for place in _lines(row.off, states)}
    on = {place for row in cited for place in _lines(row.ran, states)}
    if not off | on:
        return None

    def left(executed: Collection[tuple[str, int]]) -> tuple[str, ...]:
        return tuple(one for one in unexecuted(change_set, executed) if one not in left_out)

    total = len(left(()))
    return Coverage(total, total - len(left(off)), total - len(left(on)), left(off | on))


def of_part(
    evidence: CitedEvidence, change_set: ChangeSet, hook: str, own: Callable[[str], bool]
) -> CitedEvidence:
    """What runs say of one part of a change: those that executed its lines, or ran its code.

    `hook` is the checksum of that code. A run that ended by itself executed little, and tells
    of the part whose `own` config it had.
    """
    return evidence.only(
        lambda run: (
            run.hook == hook
            or (own(run.config) if run.ended_by_itself else _executes(change_set, run))
        )
    )


def _executes(change_set: ChangeSet, run: CitedRun) -> bool:
    """Whether a run noted, of files that are as the change makes them, a line that it touches."""
    noted = coverage(change_set, (run,))
    return noted is not None and len(noted.never) < noted.total


def _lines(noted: Mapping[str, str], states: Mapping[str, str]) -> Iterator[tuple[str, int]]:
    """The lines of those files that are as the change makes them."""
    for path, text in noted.items():
        state, _, ranges = text.partition(" ")
        if states.get(path) == state:
            yield from ((path, line) for line in from_ranges(ranges))
