"""The seconds of a turn, by what was done in them, and what else the system counts in each part."""

from __future__ import annotations

import resource
import time
from typing import Any, Callable

PARTS = ("forward", "backward", "step", "rest")
# What a part of a turn is measured by; all but `faults` are seconds.
MEASURES = ("wall", "processor", "thread", "system", "faults")
# Not every system counts a thread's own.
_OF_THREAD = getattr(resource, "RUSAGE_THREAD", resource.RUSAGE_SELF)


class Clock:
    """What went by, by part; each `mark` gives all since the last one to a part.

    `measured` holds by measure and part: wall time, processor time of all threads, that of the
    training thread alone (`thread`), how much of the latter the system took (`system`), and minor
    page faults of all threads. On a card every mark waits for it, else a part would hold what the
    one before it started. `switches` counts how often the system took the processor away in a
    turn: what runs there in between takes the caches along, and filling them again is processor
    time of ours.
    """

    def __init__(self, paddle: Any, device: str) -> None:
        self._wait: Callable[[], Any] = lambda: None
        if device.startswith("gpu"):
            self._wait = paddle.device.synchronize
        self.on = False
        self.measured: dict[str, dict[str, float]] = {}
        self.switches = 0
        self._last = (0.0,) * len(MEASURES)

    def _now(self) -> tuple[float, ...]:
        self._wait()
        return (
            time.perf_counter(),
            time.process_time(),
            time.thread_time(),
            resource.getrusage(_OF_THREAD).ru_stime,
            float(resource.getrusage(resource.RUSAGE_SELF).ru_minflt),
        )

    def start(self) -> None:
        """Begin a turn."""
        self.measured = {name: dict.fromkeys(PARTS, 0.0) for name in MEASURES}
        self.on = True
        self.switches = -_switches()
        self._last = self._now()

    def mark(self, part: str) -> None:
        """What went by since the last mark belongs to `part`; "" leaves it out."""
        if not self.on:
            return
        now = self._now()
        if part:
            for name, before, after in zip(MEASURES, self._last, now):
                self.measured[name][part] += after - before
        self._last = now

    def stop(self) -> None:
        """End a turn: what followed the last update is the trainer's own."""
        self.mark("rest")
        self.on = False
        self.switches += _switches()


def _switches() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
