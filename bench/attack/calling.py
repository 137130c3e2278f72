"""A command of the tool, run in this process, with all that it says."""

from __future__ import annotations

import contextlib
import io
import os
import signal
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.cli.main import run

if TYPE_CHECKING:
    from collections.abc import Iterator

# Seconds after which a command is taken to hang.
LIMIT = 120


@dataclass(frozen=True, slots=True)
class Ended:
    """How a command ended. `bug` is the exception that no command lets out, by its class."""

    code: int
    out: str
    err: str
    bug: str = ""


def called(*words: str) -> Ended:
    """Run a command line.

    With CODEMOD_DEBUG a fault of the tool itself is raised, so what is caught here is one.
    """
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", "surrogateescape") for _ in range(2))
    before = os.environ.get("CODEMOD_DEBUG")
    os.environ["CODEMOD_DEBUG"] = "1"
    code, bug = -1, ""
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run(list(words))
    except Exception as error:
        bug = type(error).__name__
    finally:
        os.environ.pop("CODEMOD_DEBUG")
        if before is not None:
            os.environ["CODEMOD_DEBUG"] = before
    return Ended(code, _text(out), _text(err), bug)


def _text(stream: io.TextIOWrapper) -> str:
    stream.flush()
    stream.seek(0)
    return stream.read()


@contextlib.contextmanager
def time_limit() -> Iterator[None]:
    """Raise TimeoutError in what takes longer than `LIMIT` seconds."""

    def late(*_: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(LIMIT)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
