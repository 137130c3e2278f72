"""A verdict of convergence in words."""

from __future__ import annotations

from codemod.base.reason import Reason
from codemod.judging.convergence.convergence import Judged


def told(judged: Judged, seeds: int) -> tuple[Reason, ...]:
    """What a verdict rests on: the course, then each figure of the end, then how sure it is."""
    worst = judged.worst
    found = [
        Reason.of(
            "judging.epochs-course",
            factor=f"{worst.factor:.3g}",
            first=worst.first + 1,
            last=worst.last + 1,
        )
    ]
    found += [
        Reason.of(
            f"judging.epochs-{'silent' if one.silent else one.verdict.value}",
            name=Reason.of(f"judging.epochs-{one.name.replace(' ', '-')}"),
            dynamic=f"{one.dynamic:.5g}",
            static=f"{one.static:.5g}",
            low=f"{one.low:+.2g}",
            high=f"{one.high:+.2g}",
            bound=f"{one.bound:.2g}",
        )
        for one in judged.measures
    ]
    found.append(
        Reason.of(
            "judging.epochs-sure",
            alarms=f"{100 * judged.false_alarms:.1f}",
            unclear=f"{100 * judged.undecided:.1f}",
            shift=f"{judged.measures[0].would_see:.2g}",
            seeds=seeds,
        )
    )
    return tuple(found)
