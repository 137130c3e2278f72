"""Messages on standard error, so that standard output holds nothing but results."""

from __future__ import annotations

import sys

from codemod.base.text import one_line


def note(text: str) -> None:
    """Tell the user something that is not the result."""
    print(one_line(text), file=sys.stderr, flush=True)
