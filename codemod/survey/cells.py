"""What a row says of one mode on one Paddle: the best that is known of each of its configs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.judging.verdict import PASSES

if TYPE_CHECKING:
    from codemod.survey.rows import Row, Verdict

GOOD = (*PASSES, "runs")
# They say nothing of the hook.
OPEN = ("not-run", "dynamic-fails", "nondeterministic")
SOURCES = ("parity", "probe", "hazards")


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell: `sign` names an entry of the legend, `counts` are (verdict, source, configs)."""

    sign: str
    counts: tuple[tuple[str, str, int], ...]

    @property
    def ran(self) -> int:
        """How many configs were run, by parity or by a probe."""
        return sum(n for _, source, n in self.counts if source != "hazards")


def cell(row: Row, mode: str, paddle: str) -> Cell:
    """The cell of a row."""
    counts = Counter((v.verdict, v.source) for v in best(row, mode, paddle))
    listed = sorted(counts.items(), key=lambda item: (SOURCES.index(item[0][1]), item[0][0]))
    return Cell(_sign(counts, mode), tuple((v, s, n) for (v, s), n in listed))


def best(row: Row, mode: str, paddle: str) -> list[Verdict]:
    """The one verdict a config that counts: what was run goes before what was only read."""
    chosen = []
    for unit in row.units:
        known = [v for v in row.verdicts.get(unit.path, ()) if (v.mode, v.paddle) == (mode, paddle)]
        if known:
            chosen.append(min(known, key=lambda v: SOURCES.index(v.source)))
    return chosen


def _sign(counts: Counter[tuple[str, str]], mode: str) -> str:
    ran = {verdict for verdict, source in counts if source != "hazards"}
    # In dynamic mode a failure is what the column tells; in static mode it says nothing of it.
    spoken = {v for v in ran if v not in OPEN or (mode == "dynamic" and v != "not-run")}
    good = {verdict for verdict in spoken if verdict in GOOD}
    if spoken:
        return "yes" if good == spoken else "some" if good else "no"
    read = {verdict for verdict, source in counts if source == "hazards"}
    if read:
        return "risk" if "at-risk" in read else "clear"
    return "open" if ran else "unknown"
