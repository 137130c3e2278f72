"""What makes static training slow on any device, as timings of it found: findings of an audit."""

from __future__ import annotations

from collections.abc import Iterable

from codemod.audit.findings import SLOW_STATIC, Finding, Level
from codemod.base.reason import Reason
from codemod.judging.evidence.speed_rows import SpeedRow
from codemod.judging.speed.speed import SpeedVerdict

# Causes that hold wherever it is trained: a small program may pay off on a card.
_ANYWHERE = frozenset(
    f"judging.speed-{name}"
    for name in ("program-a-step", "late-programs", "breaks", "breaks-at", "dense")
)


def findings(
    rows: Iterable[SpeedRow], revision: str | None, configs: Iterable[str]
) -> tuple[Finding, ...]:
    """A note for each cause of a config that was timed at this revision and slower; no ratio.

    Of a config that is faster all the same, or as fast, a cause is no finding.
    """
    known = frozenset(configs)
    found: dict[tuple[str, Reason], set[str]] = {}
    for row in rows:
        slower = row.verdict is SpeedVerdict.SLOWER
        if slower and row.config in known and row.revision == revision:
            for cause in row.causes:
                if cause.code in _ANYWHERE:
                    found.setdefault((row.config, cause), set()).add(f"{row.mode} {row.paddle}")
    return tuple(
        Finding(
            SLOW_STATIC,
            Level.NOTE,
            config,
            None,
            Reason.of("findings.slow-static", runs=tuple(sorted(runs)), cause=cause),
            (_REMEDIES[cause.code],) if cause.code in _REMEDIES else (),
        )
        for (config, cause), runs in found.items()
    )


_REMEDIES = {
    "judging.speed-program-a-step": Reason.of("findings.slow-spec"),
    "judging.speed-late-programs": Reason.of("findings.slow-spec"),
    "judging.speed-dense": Reason.of("findings.slow-dense"),
}
