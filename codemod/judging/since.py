"""Between which releases of Paddle a verdict changed."""

from __future__ import annotations

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from codemod.judging.verdict import Verdict


@dataclass(frozen=True, slots=True)
class ReleaseChange:
    """A verdict `was` on the release `before` and is `now` on the next one that tells, `since`."""

    before: str
    since: str
    was: Verdict
    now: Verdict


def changes(found: Mapping[str, Verdict], releases: Sequence[str]) -> tuple[ReleaseChange, ...]:
    """Where the verdicts of two releases differ that have one, in order; silent ones are none."""
    told = [one for one in releases if one in found and not found[one].silent]
    return tuple(
        ReleaseChange(before, since, found[before], found[since])
        for before, since in itertools.pairwise(told)
        if found[before] is not found[since]
    )


def undecided(
    found: Mapping[str, Verdict], releases: Sequence[str], tried: Collection[str]
) -> str | None:
    """The release to look at next: half-way between two that differ; None where none is left.

    `tried` are the releases that were looked at, those that told nothing as well.
    """
    places = {release: number for number, release in enumerate(releases)}
    for change in changes(found, releases):
        between = releases[places[change.before] + 1 : places[change.since]]
        open_yet = [release for release in between if release not in tried]
        if open_yet:
            return open_yet[len(open_yet) // 2]
    return None
