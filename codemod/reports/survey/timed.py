"""The verdicts of speed beside those of the runs of the same configs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from codemod.judging.evidence.speed_rows import SpeedRow
from codemod.judging.speed.speed_text import headline
from codemod.reports.survey.rows import ConfigVerdict
from codemod.reports.survey.verdicts import Tested


def with_speed(tested: Tested, rows: Iterable[SpeedRow], revision: str | None) -> Tested:
    """What was found of configs, with the speed of those that were timed at this revision."""
    told = {
        (row.config, row.mode, row.paddle, row.device): headline(row)
        for row in rows
        if row.revision == revision and not row.options
    }

    def one(path: str, verdict: ConfigVerdict) -> ConfigVerdict:
        device = str(verdict.figures.get("device", "cpu"))
        return replace(verdict, speed=told.get((path, verdict.mode, verdict.paddle, device)))

    timed = {
        path: tuple(one(path, verdict) for verdict in verdicts)
        for path, verdicts in tested.verdicts.items()
    }
    return replace(tested, verdicts=timed)
