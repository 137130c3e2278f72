"""Counts over the rows of one kit, or of all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from codemod.base.json_form import named
from codemod.judging.evidence.result import RAN
from codemod.reports.survey.cells import best_of, is_good, is_open
from codemod.reports.survey.rows import COLUMNS, SAME, Outlook, Row


@dataclass(frozen=True, slots=True)
class Tally:
    """One mode on one Paddle, in configs. `equal` of those `ran`; `open` runs say nothing.

    `alike` and `unlike` were not run, but build the same as one that is equal, or is not.
    """

    ran: int = 0
    equal: int = 0
    open: int = 0
    alike: int = 0
    unlike: int = 0
    at_risk: int = 0
    clear: int = 0
    unknown: int = 0


@dataclass(frozen=True, slots=True)
class Totals:
    """`configs` are those that `codemod check` counts, `more` those of further roots."""

    rows: int
    plan: int
    configs: int
    more: int
    scripts: int
    hooked: int
    after: int
    modes: dict[tuple[str, str], Tally]

    @property
    def units(self) -> int:
        """Everything that trains."""
        return self.configs + self.more + self.scripts

    def to_json(self) -> dict[str, Any]:
        """The totals as one JSON object."""
        plain = ("rows", "plan", "configs", "more", "scripts", "hooked", "after")
        modes = {f"{mode}@{paddle}": asdict(t) for (mode, paddle), t in self.modes.items()}
        return {**named(self, *plain), "modes": modes}


def totals(rows: Iterable[Row]) -> Totals:
    """The totals of some rows."""
    listed = list(rows)
    units = [unit for row in listed for unit in row.units]
    return Totals(
        rows=len(listed),
        plan=sum(row.plan for row in listed),
        configs=sum(not unit.script and not unit.root for unit in units),
        more=sum(bool(unit.root) for unit in units),
        scripts=sum(unit.script for unit in units),
        hooked=sum(unit.before is None for unit in units),
        after=sum(unit.after is None for unit in units),
        modes={column: _tally(listed, *column) for column in COLUMNS},
    )


def _tally(rows: list[Row], mode: str, paddle: str) -> Tally:
    found = [
        verdict
        for row in rows
        for path, verdict in best_of(row, mode, paddle).items()
        if path not in row.code
    ]
    ran = [v.verdict for v in found if v.source in RAN]
    same = [is_good(v.verdict) for v in found if v.source == SAME]
    read = [v.verdict for v in found if v.source == "hazards"]
    return Tally(
        ran=len(ran),
        equal=sum(map(is_good, ran)),
        open=sum(map(is_open, ran)),
        alike=same.count(True),
        unlike=same.count(False),
        at_risk=read.count(Outlook.AT_RISK),
        clear=read.count(Outlook.CLEAR),
        unknown=sum(len(row.units) for row in rows) - len(found),
    )
