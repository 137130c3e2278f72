"""How far a queue of probes is, in a line: done, running, waiting, verdicts so far, time left."""

from __future__ import annotations

import threading
import time
from collections import Counter
from typing import TYPE_CHECKING

from codemod.base.terminal.amounts import duration
from codemod.base.terminal.doing import note, terminal_moves

if TYPE_CHECKING:
    from codemod.judging.evidence.result import Result


class QueueState:
    """Counts results as they come; safe to read from another thread.

    `jobs` is how many are probed at the same time.
    """

    def __init__(self, jobs: int) -> None:
        self._jobs = jobs
        self._began = time.monotonic()
        self._lock = threading.Lock()
        self._verdicts: Counter[str] = Counter()
        self._fresh = self._done = self._total = 0

    def add(self, done: int, total: int, result: Result, name: str = "", took: str = "") -> None:
        """A result came; there are `done` of `total` now, those of earlier runs included.

        It is told by its `name`, or its config's, but not in a pipe: that gets the line of the
        queue alone, once a minute.
        """
        with self._lock:
            self._fresh += 1
            self._done, self._total = done, total
            self._verdicts.update(mode.verdict.value for mode in result.modes.values())
        if terminal_moves():
            words = ", ".join(f"{mode} {one.verdict.value}" for mode, one in result.modes.items())
            note(f"[{done}/{total}] {name or result.config}: {words}{took}")

    def text(self) -> str:
        """The line; empty until the first result."""
        with self._lock:
            if not self._fresh:
                return ""
            left = self._total - self._done
            running = min(self._jobs, left)
            counts = ", ".join(f"{name} {n}" for name, n in self._verdicts.most_common())
            parts = [
                f"{self._done} of {self._total} done, {running} running, {left - running} waiting",
                counts,
            ]
            if left:
                # Those that run are half-way, on average.
                made, to_do = self._fresh + running / 2, left - running / 2
                seconds = (time.monotonic() - self._began) / made * to_do
                parts.append(f"about {duration(seconds)} left")
            return "; ".join(parts)
