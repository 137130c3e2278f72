"""Messages on standard error, so that standard output holds nothing but results."""

from __future__ import annotations

import os
import sys

from codemod.base.terminal.text import one_line

CLEAR = "\r\x1b[K"


def terminal_moves() -> bool:
    """Whether standard error is a terminal on which a line can be drawn again."""
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def note(text: str) -> None:
    """Tell the user something that is not the result."""
    # A line of progress may stand there, perhaps another process's: it is drawn again below.
    clear = CLEAR if terminal_moves() else ""
    print(f"{clear}{one_line(text)}", file=sys.stderr, flush=True)
