"""What a pull request says of speed: how many runs are faster or slower, and which they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from codemod.base.reason import Reason
from codemod.judging.evidence.speed_rows import SpeedRow
from codemod.judging.speed.speed import SpeedVerdict
from codemod.judging.speed.speed_text import headline, sentences


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
    slow = [row for row in listed if row.verdict is SpeedVerdict.SLOWER]
    return [Reason.of("reports.speed-tally", counts=counts), *map(_slower, slow)]


def timed_lines(rows: Iterable[SpeedRow]) -> list[Reason]:
    """One sentence for each that is not slower, of which `speed_lines` tells the number alone."""
    listed = sorted(rows, key=lambda row: row.place)
    others = (row for row in listed if row.verdict is not SpeedVerdict.SLOWER)
    return [_told(row, "reports.speed-timed") for row in others]


def _slower(row: SpeedRow) -> Reason:
    why = Reason.said(*(sentences(row, language)[1] for language in ("en", "zh")))
    return _told(row, "reports.speed-slower", why=why)


def _told(row: SpeedRow, code: str, **more: Reason) -> Reason:
    return Reason.of(
        code,
        config=row.config,
        mode=row.mode.upper(),
        paddle=row.paddle,
        speed=headline(row),
        **more,
    )
