"""What a long step is doing, for whoever shows it: a room need not know the terminal."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterator


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
