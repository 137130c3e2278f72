"""What a command says on the side: on standard error, so that standard output stays clean."""

from __future__ import annotations

import sys


def note(text: str) -> None:
    """Tell the user something that is not the result."""
    print(text, file=sys.stderr, flush=True)
