"""What the user is told beside the results: what a long step is doing, and notes.

Notes go to standard error, so that standard output holds nothing but results. Who shows what a
step is doing is another's matter: a room need not know the terminal.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from codemod.base.terminal.text import one_line


class Shows(Protocol):
    """Shows what is being done, until it is told something else."""

    def say(self, text: str) -> None:
        """Show this text, from any thread."""

    def hide(self) -> None:
        """Show nothing until the next text."""


_showing: list[Shows] = []


def doing(text: str) -> None:
    """Tell what is being done from now on; where nobody shows it, nothing happens."""
    if _showing:
        _showing[-1].say(text)


@contextmanager
def shown_by(shows: Shows) -> Iterator[None]:
    """Inside, `doing` reaches `shows` and nobody else."""
    hide()
    _showing.append(shows)
    try:
        yield
    finally:
        _showing.pop()


def hide() -> None:
    """Leave the terminal to another program, or to a result, until the next `doing`."""
    if _showing:
        _showing[-1].hide()


CLEAR = "\r\x1b[K"


def terminal_moves() -> bool:
    """Whether standard error is a terminal on which a line can be drawn again."""
    return sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"


def note(text: str) -> None:
    """Tell the user something that is not the result."""
    # A line of progress may stand there, perhaps another process's: it is drawn again below.
    clear = CLEAR if terminal_moves() else ""
    print(f"{clear}{one_line(text)}", file=sys.stderr, flush=True)
