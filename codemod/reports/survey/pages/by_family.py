"""The totals that the plan counts: families, not configs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from codemod.reports.survey.cells import cell
from codemod.reports.survey.rows import MODES, PADDLES, Row, RowState
from codemod.training.runner import DYNAMIC, STATIC_MODES


@dataclass(frozen=True, slots=True)
class FamilyTotals:
    """The plan's families: how many `ran` in dynamic mode on any Paddle, and what came of them.

    `equal` counts, by Paddle, those of which a static mode trains every config that was run as
    dynamic training does. `signs` counts the legend's entries by mode and Paddle, of the families
    that this revision still has.
    """

    families: int
    ran: int
    equal: dict[str, int]
    signs: dict[tuple[str, str], Counter[str]]


def by_family(rows: Iterable[Row]) -> FamilyTotals:
    """The totals of the plan's families among some rows."""
    listed = [row for row in rows if row.plan]
    there = [row for row in listed if row.state is RowState.TRAINS or row.code]
    return FamilyTotals(
        len(listed),
        sum(any(_is(row, DYNAMIC, paddle, "yes", "some") for paddle in PADDLES) for row in there),
        {
            paddle: sum(
                any(_is(row, mode, paddle, "yes") for mode in STATIC_MODES) for row in there
            )
            for paddle in PADDLES
        },
        {
            (mode, paddle): Counter(cell(row, mode, paddle).sign for row in there)
            for mode in MODES
            for paddle in PADDLES
        },
    )


def _is(row: Row, mode: str, paddle: str, *signs: str) -> bool:
    return cell(row, mode, paddle).sign in signs
