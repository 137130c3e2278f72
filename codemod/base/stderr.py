"""Messages on standard error, so that standard output holds nothing but results."""

from __future__ import annotations

import os
import sys

from codemod.base.text import one_line

_CLEAR = "\r\x1b[K"


def note(text: str) -> None:
    """Tell the user something that is not the result."""
    # A line of progress may stand there, perhaps another process's: it is drawn again below.
    moves = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
    print(f"{_CLEAR if moves else ''}{one_line(text)}", file=sys.stderr, flush=True)
