"""Run a tool that the user has (git, pip, gh, a Python) and take what it prints."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

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


@contextmanager
def on_terminal(argv: Sequence[str], terminal: int, env: Mapping[str, str]) -> Iterator[Process]:
    """A tool that tells a terminal of ours how far it is; its group ends with the block.

    Raises:
        OSError: it cannot be run.
    """
    process = subprocess.Popen(
        [found(argv[0]) or argv[0], *argv[1:]],
        env=dict(env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=terminal,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        end_group(process)


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
