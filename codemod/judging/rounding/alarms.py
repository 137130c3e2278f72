"""How often the judge would blame what is only rounding: each nudged side is judged as if static.

The slack is then that of the other control sides, so that a side never excuses itself.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from codemod.judging import thresholds
from codemod.judging.comparing.classify import Divergence
from codemod.judging.comparing.lockstep import STATIC, SideRun
from codemod.judging.rounding.lockstep_findings import update_finding
from codemod.judging.verdict import ROUNDS, Verdict
from codemod.training.record import Record
from codemod.training.sides import Turn, Visit

_Made = TypeVar("_Made", Turn, Visit)


@dataclass(frozen=True, slots=True)
class Alarms:
    """Of `judged` updates of control sides `blamed` were called different.

    `furthest` has the largest relative distance of these by verdict; `far` of them are off by more
    than ten times what was allowed.
    """

    judged: int
    blamed: int
    furthest: Mapping[Verdict, float] = field(default_factory=dict)
    far: int = 0

    def explain(self, static: Alarms) -> bool:
        """Whether static updates are blamed as often as those of the control sides, and as far.

        As often is no more often, or, of enough of these, more often by chance; as far is up to ten
        times the furthest of the same verdict, or ten times what was allowed.
        """
        factor = thresholds.NOISE_FACTOR
        over = any(far > factor * self.furthest.get(v, 0.0) for v, far in static.furthest.items())
        if static.far and over:
            return False
        if static.blamed * self.judged <= self.blamed * static.judged:
            return True
        enough = self.judged >= thresholds.CHANCE_CONTROLS
        return enough and self._chance(static) >= thresholds.CHANCE

    def _chance(self, static: Alarms) -> float:
        """How often as many static ones are among the blamed when these are drawn from all.

        Fisher's exact test, one-sided (R. A. Fisher, 1935).
        """
        blamed = self.blamed + static.blamed
        drawn = sum(
            math.comb(static.judged, count) * math.comb(self.judged, blamed - count)
            for count in range(static.blamed, min(blamed, static.judged) + 1)
        )
        return drawn / math.comb(self.judged + static.judged, blamed)


def static_alarms(run: SideRun) -> Alarms:
    """How many updates of the static side are blamed for what may be rounding."""
    pairs = list(run.turns(STATIC))
    ten = replace(run, slack=run.slack * thresholds.NOISE_FACTOR)
    found, far = ([_rounds(update_finding(r, *pair)) for pair in pairs] for r in (run, ten))
    return replace(_counted(found), far=_counted(far).blamed)


def _rounds(found: Divergence | None) -> Divergence | None:
    return found if found is not None and found.first.kind in ROUNDS else None


def alarms(run: SideRun) -> Alarms:
    """The false alarms of a run of sides; nothing is judged where only one side was nudged."""
    nudged = [side for side in run.controls if side.startswith("ulp")]
    others = (replace(run, record=_as_static(run.record, side)) for side in nudged)
    told = [
        update_finding(other, one, turn) for other in others for one, turn in other.turns(STATIC)
    ]
    return _counted(told if len(nudged) > 1 else [])


def _counted(told: Sequence[Divergence | None]) -> Alarms:
    blamed = [one for one in told if one is not None]
    furthest: dict[Verdict, float] = {}
    for one in blamed:
        furthest[one.verdict] = max(furthest.get(one.verdict, 0.0), one.first.relative)
    return Alarms(len(told), len(blamed), furthest)


def _as_static(record: Record, side: str) -> Record:
    """The record with this side called static, and without the static one."""

    def renamed(made: tuple[_Made, ...]) -> tuple[_Made, ...]:
        others = (one for one in made if one.side != STATIC)
        return tuple(replace(one, side=STATIC) if one.side == side else one for one in others)

    return replace(record, turns=renamed(record.turns), visits=renamed(record.visits))
