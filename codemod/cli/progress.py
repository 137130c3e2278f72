"""Progress on standard error: a live line in a terminal, few lines elsewhere."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType

    from rich.status import Status

Made = TypeVar("Made")
# What is done sooner needs no progress.
_SOON_S = 2.0


def live(text: str) -> Status | None:
    """A line on the terminal that moves, None where nobody would see it move."""
    if not sys.stderr.isatty():
        return None
    from rich.console import Console

    status = Console(stderr=True).status(text)
    status.start()
    return status


class Count:
    """Shows how many of several kits are done. Use as a context manager."""

    def __init__(self, doing: str, total: int) -> None:
        self._doing = doing
        self._total = total
        self._began = time.monotonic()
        self._status: Status | None = None

    def __enter__(self) -> Count:
        self._status = live(self._text(0))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def over(self, results: Iterable[Made]) -> Iterator[Made]:
        """The results as they come, each counted."""
        for number, made in enumerate(results, 1):
            if self._status is not None:
                self._status.update(self._text(number))
            elif number < self._total and time.monotonic() - self._began > _SOON_S:
                click.echo(f"  {self._text(number)}", err=True)
            yield made

    def _text(self, done: int) -> str:
        if self._total == 1:
            return f"{self._doing} the kit"
        seconds = time.monotonic() - self._began
        left = f", about {seconds / done * (self._total - done):.0f} s left" if done else ""
        return f"{self._doing} kits: {done} of {self._total} done{left}"


class Progress:
    """Shows run, step, loss and the time left. Use as a context manager.

    `runs` are the names of the runs that will be made, in their order; others that turn out to be
    needed are named too. Each makes `steps` steps.
    """

    def __init__(self, steps: int, runs: Sequence[str] = ()) -> None:
        self._steps = steps
        self._runs = tuple(runs)
        self._told: set[str] = set()
        self._status: Status | None = None

    def __enter__(self) -> Progress:
        self._status = live("starting")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._status is not None:
            self._status.stop()

    def show(self, name: str, step: int, loss: float | None, seconds: float) -> None:
        """Tell how far the run `name` is; `seconds` since it began."""
        if self._status is None:
            if name not in self._told:
                self._told.add(name)
                click.echo(f"  {self._place(name)}", err=True)
            return
        left = f", about {seconds / step * (self._steps - step):.0f} s left" if step else ""
        value = "" if loss is None else f", loss {loss:.6g}"
        self._status.update(f"{self._place(name)}: step {step} of {self._steps}{value}{left}")

    def _place(self, name: str) -> str:
        if name not in self._runs:
            return f"control run ({name})" if self._runs else f"run ({name})"
        return f"run {self._runs.index(name) + 1}/{len(self._runs)} ({name})"
