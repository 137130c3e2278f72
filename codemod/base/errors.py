"""The errors a user may see, each with the exit code the commands promise."""

from __future__ import annotations


class CodemodError(Exception):
    """Something a user can act on: one sentence, and the remedy where there is one."""

    exit_code = 2

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class Stopped(KeyboardInterrupt):
    """Ctrl-C, with one line for the user: what is kept, and how to go on."""


class UsageError(CodemodError):
    """Wrong usage or bad input: no such kit, a dirty tree, broken YAML."""


class EnvironmentFault(CodemodError):
    """Something is missing around us: no network, no Paddle, no such device."""

    exit_code = 3


class FindingsError(CodemodError):
    """The work was done, and what it found wants a human."""

    exit_code = 1
