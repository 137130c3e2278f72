"""Run a tool that the user has (git, pip, gh, a Python) and take what it prints."""

from __future__ import annotations

import math
import os
import select
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

# What callers write in their types and arguments.
Process = subprocess.Popen[bytes]
PIPE = subprocess.PIPE
STDOUT = subprocess.STDOUT


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """What a tool printed, and its exit code, below 0 for a signal."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """What it printed on standard output."""
        return self.out.decode("utf-8", errors="replace")

    @property
    def complaint(self) -> str:
        """What it printed on standard error."""
        return self.err.decode("utf-8", errors="replace")


def found(name: str) -> str | None:
    """The absolute path of a program on `PATH`, never one in the current folder."""
    folders = os.environ.get("PATH", os.defpath).split(os.pathsep)
    absolute = [folder for folder in folders if os.path.isabs(folder)]  # noqa: PTH117
    return shutil.which(name, path=os.pathsep.join(absolute)) if absolute else None


def _program(name: str) -> str:
    program = name if os.sep in name else found(name)
    if program is None:
        raise FileNotFoundError(2, "No such file or directory", name)
    return program


def ask(
    argv: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: str | os.PathLike[str] | None = None,
    stdin: bytes = b"",
    seconds: float | None = None,
) -> ToolOutput:
    """Run a tool to its end. A name without a folder is looked for on `PATH` alone.

    Raises:
        OSError: it cannot be run.
        TimeoutError: it has not ended after `seconds`; it and its group are ended.
    """
    process = subprocess.Popen(
        [_program(argv[0]), *argv[1:]],
        stdin=subprocess.PIPE if stdin else subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=None if env is None else dict(env),
        cwd=cwd,
        # What it starts is in its group, and ends with it where it is ended.
        start_new_session=seconds is not None,
    )
    with process:
        try:
            out, err = process.communicate(stdin or None, timeout=seconds)
        except subprocess.TimeoutExpired as error:
            end_group(process)
            raise TimeoutError(f"no answer in {seconds:g} s") from error
        except BaseException:
            process.kill()
            raise
    return ToolOutput(process.returncode, out, err)


def ask_on_terminal(
    argv: Sequence[str],
    *,
    env: Mapping[str, str],
    heard: Callable[[str], None],
    seconds: float | None = None,
) -> ToolOutput:
    """Run a tool that says how far it is to a terminal alone: it gets one of ours.

    Each piece that it says there goes to `heard`, what it prints on standard output to nobody.

    Raises:
        OSError: it cannot be run.
        TimeoutError: it has not ended after `seconds`; it and its group are ended.
    """
    until = math.inf if seconds is None else time.monotonic() + seconds
    ours, theirs = os.openpty()
    try:
        try:
            process = subprocess.Popen(
                [_program(argv[0]), *argv[1:]],
                env=dict(env),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=theirs,
                start_new_session=True,
            )
        finally:
            os.close(theirs)
        try:
            said = b"".join(_pieces(process, ours, until, heard))
        except TimeoutError as error:
            raise TimeoutError(f"no answer in {seconds:g} s") from error
        finally:
            end_group(process)
    finally:
        os.close(ours)
    return ToolOutput(process.returncode, b"", said)


def _pieces(
    process: Process, terminal: int, until: float, heard: Callable[[str], None]
) -> Iterator[bytes]:
    """What a process says on a terminal until it ends; one of its helpers may still hold that.

    Raises:
        TimeoutError: it has not ended by `until`.
    """
    while True:
        if time.monotonic() > until:
            raise TimeoutError
        if select.select([terminal], [], [], 0.1)[0]:
            try:
                piece = os.read(terminal, 65536)
            except OSError:  # on Linux: nobody holds its other side any more
                piece = b""
            if not piece:
                break
            yield piece
            heard(piece.decode(errors="replace"))
        elif process.poll() is not None:
            break
    while process.poll() is None:
        if time.monotonic() > until:
            raise TimeoutError
        time.sleep(0.001)


def end_group(process: Process) -> None:
    """End a process that leads a session of its own, with its group, if it still runs."""
    if process.poll() is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def in_foreground(argv: Sequence[str]) -> int:
    """Run a tool that talks to the user, on the user's own terminal; its exit code.

    Raises:
        OSError: it cannot be run.
    """
    return subprocess.run([_program(argv[0]), *argv[1:]], check=False).returncode
