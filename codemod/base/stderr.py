"""Messages on standard error, so that standard output holds nothing but results."""

from __future__ import annotations

import sys


def note(text: str) -> None:
    """Tell the user something that is not the result."""
    print(text, file=sys.stderr, flush=True)
