"""What a pull request says of speed: how many runs are faster or slower, and which they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from codemod.base.reason import Reason
from codemod.judging.evidence.speed_rows import SpeedRow
from codemod.judging.evidence.speed_text import headline, sentences
from codemod.judging.speed.speed import SpeedVerdict


def speed_lines(rows: Iterable[SpeedRow]) -> list[Reason]:
    """One sentence over all, then one for each that is slower, with its reasons."""
    listed = sorted(rows, key=lambda row: row.place)
    if not listed:
        return []
    counted = Counter(row.verdict for row in listed)
    faster, same, slower, unclear = (counted[verdict] for verdict in SpeedVerdict)
    each = (
        (faster, Reason.of("reports.speed-count-faster", count=faster)),
        (same, Reason.of("reports.speed-count-same", count=same)),
        (slower, Reason.of("reports.speed-count-slower", count=slower)),
        (unclear, Reason.of("reports.speed-count-unclear", count=unclear)),
    )
    counts = tuple(told for count, told in each if count)
    slow = [row for row in listed if row.verdict is SpeedVerdict.SLOWER]
    return [Reason.of("reports.speed-tally", counts=counts), *map(_slower, slow)]


def timed_lines(rows: Iterable[SpeedRow]) -> list[Reason]:
    """One sentence for each that is not slower, of which `speed_lines` tells the number alone."""
    listed = sorted(rows, key=lambda row: row.place)
    return [_timed(row) for row in listed if row.verdict is not SpeedVerdict.SLOWER]


def _timed(row: SpeedRow) -> Reason:
    return Reason.of(
        "reports.speed-timed",
        config=row.config,
        mode=row.mode.upper(),
        paddle=row.paddle,
        speed=headline(row),
    )


def _slower(row: SpeedRow) -> Reason:
    return Reason.of(
        "reports.speed-slower",
        config=row.config,
        mode=row.mode.upper(),
        paddle=row.paddle,
        speed=headline(row),
        why=Reason.said(*(sentences(row, language)[1] for language in ("en", "zh"))),
    )
