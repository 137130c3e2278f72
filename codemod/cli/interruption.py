"""A command that starts processes of its own is ended by who stops it, and ends them too."""

from __future__ import annotations

import signal
import sys


def exit_when_terminated() -> None:
    """Without this, a terminated command would leave behind what it started."""
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
