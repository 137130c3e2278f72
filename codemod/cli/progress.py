"""Progress of training runs on standard error: a live line in a terminal, few lines elsewhere."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from types import TracebackType

    from rich.status import Status


class Progress:
    """Shows run, step, loss and the time left. Use as a context manager."""

    def __init__(self, steps: int) -> None:
        self._steps = steps
        self._told: set[str] = set()
        self._status: Status | None = None

    def __enter__(self) -> Progress:
        if sys.stderr.isatty():
            from rich.console import Console

            self._status = Console(stderr=True).status("starting")
            self._status.start()
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
        if name not in self._told:
            self._told.add(name)
            if self._status is None:
                click.echo(f"  running {name}", err=True)
        if self._status is not None:
            left = f", about {seconds / step * (self._steps - step):.0f} s left" if step else ""
            value = "" if loss is None else f", loss {loss:.6g}"
            self._status.update(f"{name}: step {step} of {self._steps}{value}{left}")
