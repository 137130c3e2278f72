"""A command that starts processes of its own is ended: by Ctrl-C, or by who stops it."""

from __future__ import annotations

import contextlib
import signal
import sys
from typing import TYPE_CHECKING

from codemod.base.errors import Stopped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def exit_when_terminated() -> None:
    """Without this, a terminated command would leave behind what it started."""
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))


@contextlib.contextmanager
def stoppable(told: Callable[[], str]) -> Iterator[None]:
    """What is done in here can be stopped; `told` says then what is kept, and how to go on.

    Raises:
        Stopped: Ctrl-C.
    """
    exit_when_terminated()
    try:
        yield
    except KeyboardInterrupt as stop:
        raise Stopped(f"Interrupted; {told()}") from stop
