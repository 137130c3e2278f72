"""How long several runs will still take, from how far they are."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

# How often a run's steps must have been seen before its own pace counts.
_OWN_PACE_STEPS = 3


@dataclass(frozen=True, slots=True)
class Stretch:
    """How long one run is: `steps`, each of which costs as much as `weight` usual ones.

    `chance` is how likely it is made at all.
    """

    steps: int
    weight: float = 1.0
    chance: float = 1.0


Expected = Callable[[Collection[str]], Mapping[str, Stretch]]
"""The runs that are to be made, in their order, by the names of those seen so far."""


@dataclass(slots=True)
class _Seen:
    """One run: its first steps and its last, each with the second of the run it was seen at."""

    first: tuple[int, float]
    last: tuple[int, float]

    @property
    def stepping(self) -> tuple[int, float]:
        """Steps that were watched, and the seconds that they took."""
        return self.last[0] - self.first[0], self.last[1] - self.first[1]


class TimeLeft:
    """Learns from each look at a run; knows nothing of runs that it never saw.

    A run takes a time of its own to start and to end, and one for each step. `expected` says which
    runs there will be: it is asked again each time, for a verdict may need more of them.
    """

    def __init__(self, expected: Expected) -> None:
        self._expected = expected
        self._seen: dict[str, _Seen] = {}
        self._began = math.inf

    def saw(self, name: str, step: int, seconds: float, now: float) -> None:
        """The run `name` has made `step` steps in `seconds`; `now` is the clock, in seconds."""
        self._began = min(self._began, now - seconds)
        known = self._seen.get(name)
        if known is None or not known.last[0]:
            self._seen[name] = _Seen((step, seconds), (step, seconds))
        elif step != known.last[0]:  # what follows the last step is none
            known.last = (step, seconds)

    def seconds(self, name: str, now: float) -> float | None:
        """Seconds until the last run ends, while `name` runs; None where nothing is known of it."""
        expected = self._expected(self._seen)
        if name not in expected:
            return None
        order = list(expected)
        left = expected[name].steps - self._seen[name].last[0]
        if left < 0:
            return None
        pace, overhead = self._pace(expected), self._overhead(now)
        seconds = left * (self._own(name) or pace * expected[name].weight)
        for one in order[order.index(name) + 1 :]:
            if one not in self._seen:
                run = expected[one]
                seconds += run.chance * (run.steps * run.weight * pace + overhead)
        return seconds

    def _own(self, name: str) -> float | None:
        """Seconds a step of this run, once enough were seen."""
        steps, seconds = self._seen[name].stepping
        return seconds / steps if steps >= _OWN_PACE_STEPS else None

    def _pace(self, expected: Mapping[str, Stretch]) -> float:
        """Seconds a usual step, over all runs; with none watched, all of a run's time is steps."""
        watched = [(run.stepping, expected[one].weight) for one, run in self._known(expected)]
        usual = sum(steps * weight for (steps, _), weight in watched)
        if usual:
            return sum(seconds for (_, seconds), _ in watched) / usual
        whole = sum(run.last[0] * expected[one].weight for one, run in self._known(expected))
        return sum(run.last[1] for _, run in self._known(expected)) / max(1.0, whole)

    def _known(self, expected: Mapping[str, Stretch]) -> list[tuple[str, _Seen]]:
        return [(one, run) for one, run in self._seen.items() if one in expected]

    def _overhead(self, now: float) -> float:
        """Seconds a run that are no steps: its start, and what follows the last one."""
        stepping = sum(run.stepping[1] for run in self._seen.values())
        return max(0.0, now - self._began - stepping) / len(self._seen)
