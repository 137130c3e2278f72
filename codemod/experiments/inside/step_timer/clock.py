"""The seconds of a turn, by what was done in them."""

from __future__ import annotations

import resource
import time
from typing import Any, Callable

PARTS = ("forward", "backward", "step", "rest")


class Clock:
    """Wall and processor time by part; each `mark` gives what went by since the last one to a part.

    On a card every mark waits for it, else a part would hold what the one before it started.
    `switches` counts how often the system took the processor away in a turn: what runs there in
    between takes the caches along, and filling them again is processor time of ours.
    """

    def __init__(self, paddle: Any, device: str) -> None:
        self._wait: Callable[[], Any] = lambda: None
        if device.startswith("gpu"):
            self._wait = paddle.device.synchronize
        self.on = False
        self.wall: dict[str, float] = {}
        self.processor: dict[str, float] = {}
        self.switches = 0
        self._last = (0.0, 0.0)

    def _now(self) -> tuple[float, float]:
        self._wait()
        return time.perf_counter(), time.process_time()

    def start(self) -> None:
        """Begin a turn."""
        self.wall = dict.fromkeys(PARTS, 0.0)
        self.processor = dict.fromkeys(PARTS, 0.0)
        self.on = True
        self.switches = -_switches()
        self._last = self._now()

    def mark(self, part: str) -> None:
        """What went by since the last mark belongs to `part`; "" leaves it out."""
        if not self.on:
            return
        now = self._now()
        if part:
            self.wall[part] += now[0] - self._last[0]
            self.processor[part] += now[1] - self._last[1]
        self._last = now

    def stop(self) -> None:
        """End a turn: what followed the last update is the trainer's own."""
        self.mark("rest")
        self.on = False
        self.switches += _switches()


def _switches() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_nivcsw
