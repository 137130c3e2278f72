"""Progress on standard error: a line that moves in a terminal, few plain lines elsewhere.

Not `rich.progress`: that draws bars where a terminal moves and nothing in a pipe, so it could take
the place of `_draw` and two helpers alone, 35 lines of these. It takes 45 ms to load, five times
as long as this, before a command's first word; and its display redirects standard output and
hides the cursor, while here other processes write on the same terminal (see `doing.note`).
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
import time
from collections.abc import Callable, Collection, Sequence
from contextlib import ExitStack
from typing import TypeVar

import click

from codemod.base.terminal.amounts import duration
from codemod.base.terminal.doing import CLEAR, shown_by, terminal_moves
from codemod.base.terminal.text import one_line
from codemod.base.terminal.time_left import Expected, Stretch, TimeLeft

# What is done sooner needs no progress.
_SOON_S = 2.0
# So often a pipe gets a line: a log of an hour stays readable.
_PIPE_S = 30.0
_QUEUE_S = 60.0
_DRAWN_S = 0.1
# A step that ends at once is not worth a flicker.
_FLICKER_S = 0.3
_TURNING = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_TURNING_ASCII = "|/-\\"
_Line = TypeVar("_Line", bound="LiveLine")


class LiveLine:
    """Shows what is being done (see `base.doing`). Use as a context manager.

    On a terminal it moves, so that one sees that it lives. Elsewhere a plain line says what takes
    longer than two seconds, and each half minute that it still does. With `before`, each text
    stands behind what that says, and elsewhere than on a terminal that is all, once a minute.
    `CODEMOD_PROGRESS=never` is for logs and tests that want no such line.
    """

    def __init__(self, text: str, before: Callable[[], str] | None = None) -> None:
        self._text = text
        self._before = before
        self._moves = terminal_moves()
        self._began = time.monotonic()
        self._ended = threading.Event()
        self._drawing = threading.Lock()
        self._drawn = False
        self._thread = threading.Thread(target=self._show, daemon=True)
        self._within = ExitStack()

    def __enter__(self: _Line) -> _Line:
        self._within.enter_context(shown_by(self))
        if progress_wanted():
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        if self._thread.ident is not None:
            self._thread.join()
        self.hide()
        self._within.close()

    def say(self, text: str) -> None:
        """Show this from now on."""
        self._text = text

    def hide(self) -> None:
        """Clear the line; it is drawn again with the next text."""
        with self._drawing:
            self._text = ""
            if self._drawn:
                sys.stderr.write(CLEAR)
                sys.stderr.flush()
                self._drawn = False

    def _show(self) -> None:
        unicode = (sys.stderr.encoding or "").lower().startswith("utf")
        turning = _TURNING if unicode else _TURNING_ASCII
        told, since, due = "", self._began, self._began + _SOON_S
        number = 0
        while not self._ended.wait(_DRAWN_S):
            now = time.monotonic()
            if self._moves and now - self._began > _FLICKER_S:
                number += 1
                self._draw(turning[number % len(turning)])
            elif not self._moves and now > due and (text := self._plain()):
                due = now + (_QUEUE_S if self._before else _PIPE_S)
                so_far = f" ({duration(now - since)} so far)" if text == told else ""
                told, since = text, since if text == told else now
                click.echo(f"  {one_line(text)}{so_far}", err=True)

    def _plain(self) -> str:
        """What a pipe gets to see."""
        return (self._before() if self._before else "") or self._text

    def _draw(self, mark: str) -> None:
        with self._drawing:
            if not self._text:
                return
            # A line that wraps could not be cleared.
            room = _columns() - 1
            head = self._before() if self._before else ""
            text = one_line("; ".join(filter(None, (head, self._text))))
            sys.stderr.write(f"{CLEAR}{mark} {text}"[: room + len(CLEAR)])
            sys.stderr.flush()
            self._drawn = True


def progress_wanted() -> bool:
    """Whether the user wants to see how far a command is."""
    return os.environ.get("CODEMOD_PROGRESS") != "never"


def _columns() -> int:
    """The width of the terminal that standard error is."""
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except (OSError, ValueError):
        return shutil.get_terminal_size().columns


class Count(LiveLine):
    """Shows how many of several kits are done. Use as a context manager.

    `sizes` says how much work each kit is, in any unit. With `workers`, so many are worked on at
    the same time, the largest first.
    """

    def __init__(self, doing: str, sizes: Sequence[float], workers: int = 0) -> None:
        super().__init__("")
        self._doing = doing
        self._workers = workers
        self._whole = sum(sizes)
        self._total = len(sizes)
        self._left = sorted(sizes, reverse=True)
        self.say(self._so_far())

    def advance(self, size: float) -> None:
        """One of this size is done."""
        self._left.remove(size)
        if self._moves:
            self.say(self._so_far())
        elif progress_wanted() and self._left and time.monotonic() - self._began > _SOON_S:
            click.echo(f"  {self._so_far()}", err=True)

    def _so_far(self) -> str:
        if self._total == 1:
            return f"{self._doing} the kit"
        done = self._total - len(self._left)
        # Those that are being worked on are half-way, on average.
        to_do = sum(self._left) - sum(self._left[: self._workers]) / 2
        seconds = time.monotonic() - self._began
        left = duration(seconds / (self._whole - to_do) * to_do) if done else ""
        told = f", about {left} left" if left else ""
        return f"{self._doing} kits: {done} of {self._total} done{told}"


class Progress(LiveLine):
    """Shows run, step, loss and the time left. Use as a context manager.

    `runs` are the names of the runs that will be made, in their order; others that turn out to be
    needed are named too. Each makes `steps` steps, or what `expected` says (see `time_left`).
    """

    def __init__(
        self, steps: int, runs: Sequence[str] = (), expected: Expected | None = None
    ) -> None:
        self._steps = steps
        self._runs = tuple(runs)
        self._told: set[str] = set()
        self._left = TimeLeft(expected or self._usual)
        super().__init__("Preparing the runs")

    def show(self, name: str, step: int, loss: float | None, seconds: float) -> None:
        """Tell how far the run `name` is; `seconds` since it began."""
        if progress_wanted() and not self._moves and name not in self._told:
            self._told.add(name)
            click.echo(f"  {self._place(name)}", err=True)
        now = time.monotonic()
        self._left.saw(name, step, seconds, now)
        seconds_left = self._left.seconds(name, now) if step else None
        left = "" if seconds_left is None else f", about {duration(seconds_left)} left"
        value = "" if loss is None else f", loss {loss:.6g}"
        # A run may make more steps than were foretold: nothing is known of its end then.
        how_far = f"step {step} of {self._steps}" if step <= self._steps else f"step {step}"
        how_far = how_far if step else "starting"
        self.say(f"{self._place(name)}: {how_far}{value}{left}")

    def _usual(self, seen: Collection[str]) -> dict[str, Stretch]:
        """The runs that were named, and such others as were seen."""
        return {name: Stretch(self._steps) for name in (*self._runs, *seen)}

    def _place(self, name: str) -> str:
        if name not in self._runs:
            return f"control run ({name})" if self._runs else f"run ({name})"
        return f"run {self._runs.index(name) + 1}/{len(self._runs)} ({name})"
