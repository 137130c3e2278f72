"""What a pull request says of speed: how many configs are faster, and each that is slower."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from codemod.base.reason import Reason
from codemod.judging.speed import SpeedVerdict
from codemod.judging.speed_text import headline, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable

    from codemod.judging.evidence.speed_rows import SpeedRow


def speed_lines(rows: Iterable[SpeedRow]) -> list[Reason]:
    """One sentence over all, then one for each that is slower, with its reasons."""
    listed = sorted(rows, key=lambda row: row.place)
    if not listed:
        return []
    counted = Counter(row.verdict for row in listed)
    counts = tuple(
        Reason.of(f"reports.speed-count-{verdict.value}", count=counted[verdict])
        for verdict in SpeedVerdict
        if counted[verdict]
    )
    slower = [row for row in listed if row.verdict is SpeedVerdict.SLOWER]
    return [Reason.of("reports.speed-tally", counts=counts), *map(_slower, slower)]


def _slower(row: SpeedRow) -> Reason:
    return Reason.of(
        "reports.speed-slower",
        config=row.config,
        mode=row.mode,
        paddle=row.paddle,
        speed=headline(row),
        why=Reason.said(*(sentences(row, language)[1] for language in ("en", "zh"))),
    )
