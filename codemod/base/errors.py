"""The errors a user may see, each with the exit code the commands promise, and near names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager


class CodemodError(Exception):
    """Something a user can act on: one sentence, and the remedy where there is one."""

    exit_code = 2

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()

    def to_json(self) -> dict[str, object]:
        """The object that `--json` prints for an error."""
        return {"error": self.message, "remedy": self.remedy, "exit_code": self.exit_code}


class Stopped(KeyboardInterrupt):
    """Ctrl-C, with one line for the user: what is kept, and how to go on."""


@contextmanager
def stoppable(told: Callable[[], str]) -> Iterator[None]:
    """What is done in here can be stopped; `told` says then what is kept, and how to go on.

    Raises:
        Stopped: Ctrl-C.
    """
    try:
        yield
    except KeyboardInterrupt as stop:
        raise Stopped(f"Interrupted; {told()}") from stop


class UsageError(CodemodError):
    """Wrong usage or bad input: no such kit, a dirty tree, broken YAML."""


class EnvironmentFault(CodemodError):
    """Something is missing around us: no network, no Paddle, no such device."""

    exit_code = 3


class FindingsError(CodemodError):
    """The work was done, and what it found wants a human."""

    exit_code = 1


def did_you_mean(asked: str, known: Iterable[str], otherwise: str) -> str:
    """`Did you mean a or b?` in any case, at most three; `otherwise` where nothing is near."""
    import difflib

    by_key = {name.lower(): name for name in known}
    near = difflib.get_close_matches(asked.lower(), by_key, n=3, cutoff=0.5)
    return f"Did you mean {' or '.join(by_key[name] for name in near)}?" if near else otherwise
