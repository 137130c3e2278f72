"""The observer that runs inside the kit's training process.

It writes what each hooked layer is fed, and the spec that the kit hands to `to_static`. Nothing is
traced: `to_static` gives the layer back as it is, so that a model which no static graph can hold
is observed as well. Python 3.8 to 3.13, Paddle 2.6 and 3.x.
"""

from __future__ import annotations

import json
import os
from importlib import import_module
from typing import Any


class Writer:
    """One JSON object a line, flushed at once: a run that crashes leaves what it saw."""

    def __init__(self, path: str) -> None:
        self._file = open(path, "a", encoding="utf-8")  # noqa: SIM115 - open until the run ends
        self._pid = os.getpid()

    def write(self, **fields: Any) -> None:
        """Write one line; processes forked by the kit write nothing."""
        if os.getpid() == self._pid:
            self._file.write(json.dumps(fields, default=str) + "\n")
            self._file.flush()

    def stop(self) -> None:
        """End the training: all that was wanted is on disk."""
        if os.getpid() == self._pid:
            self.write(t="end", reason="enough")
            os._exit(0)


def install(request: str) -> None:
    """Arrange for observing to begin as soon as the kit has imported Paddle.

    `request` is JSON: `out` the file to write, `batches` a pass, `evaluates` whether an evaluation
    is to be waited for, `cut` whether each pass ends with a smaller batch. Without `out` only the
    passes are made short.
    """
    wanted = json.loads(request)

    def start(paddle: Any) -> None:
        from .calls import Calls
        from .hooks import Hooks
        from .loaders import Loaders

        if not wanted["out"]:
            Loaders(wanted["batches"], wanted["cut"], wanted["evaluates"], None).patch()
            return
        writer = Writer(wanted["out"])
        writer.write(t="start", paddle=paddle.__version__)
        loaders = Loaders(wanted["batches"], wanted["cut"], wanted["evaluates"], writer)
        calls = Calls(paddle, writer, loaders)
        Hooks(paddle, writer, calls).patch()
        loaders.patch()
        calls.patch()

    import_module("parity_recorder.importhook").after_import("paddle", start)
