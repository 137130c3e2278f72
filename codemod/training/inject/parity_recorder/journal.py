"""The record: one JSON object per line, written by a second thread.

What is handed in are plain values and NumPy copies; hashing and writing happen in a thread of its
own, so that the training step pays only for the copies. Each line is flushed when written: a run
that crashes leaves a record that is good up to there.
"""

from __future__ import annotations

import json
import os
import queue
import threading
from typing import Any, Callable

Event = Callable[[], "dict[str, Any]"]

# Copies of gradients waiting to be hashed hold memory, so few steps may wait.
_BACKLOG = 3


class Journal:
    """Writes events in the order in which they were handed in."""

    def __init__(self, path: str) -> None:
        self._pid = os.getpid()
        self._file = open(path, "a", encoding="utf-8")  # noqa: SIM115 - open until the run ends
        self._queue: queue.Queue[Event | None] = queue.Queue(_BACKLOG)
        self._thread = threading.Thread(target=self._work, name="parity-journal", daemon=True)
        self._thread.start()
        self._closed = False

    def put(self, event: Event) -> None:
        """Queue an event; its function is called later, in the writer's thread."""
        if not self._closed and os.getpid() == self._pid:
            self._queue.put(event)

    def write(self, **fields: Any) -> None:
        """Queue an event that is ready."""
        self.put(lambda: fields)

    def close(self) -> None:
        """Write all that waits and end the thread. Later events are dropped."""
        if self._closed or os.getpid() != self._pid:
            return
        self._closed = True
        self._queue.put(None)
        self._thread.join()
        self._file.close()

    def _work(self) -> None:
        while True:
            event = self._queue.get()
            if event is None:
                return
            try:
                fields = event()
            except Exception as error:  # a lost line must show in the record, not end the run
                fields = {"t": "recorder-error", "error": f"{type(error).__name__}: {error}"}
            self._file.write(json.dumps(fields, separators=(",", ":"), default=str) + "\n")
            self._file.flush()
