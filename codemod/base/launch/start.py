"""A box, what may be done in it, and a process in it: under a supervisor that ends all of it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO, Any

_INSIDE = Path(__file__).parent / "inside"
_RUN = """import sys
sys.path.insert(0, sys.argv.pop(1))
from box_inside.supervisor import main
main()
"""
# The supervisor ends a box within a moment; one that does not is stuck, and is ended itself.
_PATIENCE_S = 10.0
# Bytes; what a process of ours says in one line is far shorter.
_LONGEST_LINE = 2**24


@dataclass(frozen=True, slots=True)
class BoxEnd:
    """How a box ended. `code` is the exit code of what was started, below 0 for a signal.

    `limit` is the one that ended it: wall, memory, processes, log; "" where it ended by itself, and
    "asked" where we ended it. `left` counts processes that still ran then. `contained` is what was:
    "all", "files" (no writing, no TCP), "writes" (no writing) or "nothing".
    """

    code: int
    limit: str = ""
    left: int = 0
    contained: str = "nothing"


class Boxed:
    """A started process. What it started ends with it, and all of it ends with this process."""

    def __init__(self, process: subprocess.Popen[bytes], life: int, report: int) -> None:
        self._process = process
        self._life = life
        self._report = report
        self._ended: BoxEnd | None = None
        self._said = b""

    @property
    def stdin(self) -> IO[bytes] | None:
        """The pipe to its standard input, where one was asked for."""
        return self._process.stdin

    def line(self, seconds: float) -> bytes:
        r"""The next line of its standard output, a pipe, without `\n`; b"" where no more comes.

        Raises:
            TimeoutError: none was whole within `seconds`, or it is longer than any of ours.
        """
        pipe = self._process.stdout
        until = time.monotonic() + seconds
        while pipe is not None and b"\n" not in self._said:
            left = max(0.0, until - time.monotonic())
            if len(self._said) > _LONGEST_LINE or not select.select([pipe], [], [], left)[0]:
                raise TimeoutError(f"it said nothing whole within {seconds:g} s")
            more = os.read(pipe.fileno(), 2**16)
            if not more:
                return b""
            self._said += more
        line, _, self._said = self._said.partition(b"\n")
        return line

    def wait(self, seconds: float | None = None) -> BoxEnd | None:
        """How it ended; None if it has not within so many seconds."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        return self._told()

    def end(self) -> BoxEnd:
        """End it and all that it started, if it still runs; how it ended."""
        self._close_life()
        try:
            self._process.wait(_PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        return self._told()

    def _close_life(self) -> None:
        if self._life >= 0:
            os.close(self._life)
            self._life = -1

    def _told(self) -> BoxEnd:
        if self._ended is None:
            self._close_life()
            with os.fdopen(self._report, "rb") as pipe:
                said = pipe.read()
            # A supervisor that was ended itself tells nothing; all below it ended with it.
            code = self._process.returncode
            fields: dict[str, Any] = json.loads(said) if said else {"code": code}
            self._ended = BoxEnd(**fields)
        return self._ended


def start(
    argv: Sequence[str],
    box: Box,
    *,
    cwd: Path,
    env: Mapping[str, str],
    stdin: int = subprocess.DEVNULL,
    stdout: int | IO[bytes] | None = None,
    stderr: int | IO[bytes] | None = None,
    held: Sequence[int] = (),
) -> Boxed:
    """Start `argv` in a box.

    `env` is its whole environment. `held` are descriptors that stay open until the last of its
    processes has ended, such as a lock's. The pipes are those of `subprocess.Popen`.

    Raises:
        OSError: there is no such folder, or no process can be started.
    """
    life_read, life = os.pipe()
    report, report_write = os.pipe()
    request = box.request() | {"life": life_read, "report": report_write, "argv": list(argv)}
    command = [sys.executable, "-I", "-S", "-B", "-c", _RUN, str(_INSIDE), json.dumps(request)]
    try:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=dict(env),
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            bufsize=-1,
            pass_fds=(life_read, report_write, *held),
            start_new_session=True,
        )
    except BaseException:
        os.close(life)
        os.close(report)
        raise
    finally:
        os.close(life_read)
        os.close(report_write)
    return Boxed(process, life, report)


# The variables of the user's that a kit's process sees. All others may hold secrets.
_KEPT = frozenset(
    (
        "PATH",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TERM",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "CUDA_HOME",
        "CUDA_PATH",
        "CUDA_VISIBLE_DEVICES",
        "NVIDIA_VISIBLE_DEVICES",
        "NVIDIA_DRIVER_CAPABILITIES",
        "SYSTEMROOT",
    )
)
_KEPT_BEGINNINGS = ("LC_", "FLAGS_", "OMP_", "MKL_", "NCCL_", "GLOO_")
# Folders of its own that a process is told, below the box's home.
TEMPORARY = "tmp"
# Where the box lays what it writes over the folders that it may not change.
_LAYER = "layer"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What all processes of a box may take together; 0 is no limit.

    `wall_s` is seconds on the clock, `memory_mb` resident memory (a limit on addresses would break
    Paddle's reservations), `file_mb` the size of one file, `log_mb` that of what is printed.
    `cpu_s` holds for each process by itself.
    """

    wall_s: float = 0
    cpu_s: float = 0
    memory_mb: float = 0
    processes: int = 0
    file_mb: float = 0
    log_mb: float = 0


@dataclass(frozen=True, slots=True)
class Box:
    """How a kit's process is held.

    `home` is a folder of the run's own: its `HOME`, and its `TMPDIR` below that. With `contained`,
    and where the system offers it, there is no network but loopback, and nothing can be written
    but below `home` and `writes`; what is written below `covered` is seen by the box alone, and is
    gone after it.
    """

    home: Path
    bounds: Bounds = field(default_factory=Bounds)
    contained: bool = False
    writes: tuple[Path, ...] = ()
    covered: tuple[Path, ...] = ()

    def request(self) -> dict[str, Any]:
        """What the supervisor is told of it."""
        writes = [os.path.realpath(folder) for folder in (self.home, *self.writes)]
        covered = [os.path.realpath(folder) for folder in self.covered]
        return {
            "bounds": asdict(self.bounds),
            "contained": self.contained,
            "writes": writes,
            "covered": covered,
            "scratch": os.path.realpath(self.home),
        }


def kept_variables(given: Mapping[str, str]) -> dict[str, str]:
    """Those of `given` that a kit's process may see."""
    return {
        name: text
        for name, text in given.items()
        if name in _KEPT or name.startswith(_KEPT_BEGINNINGS)
    }


def own_folders(home: Path) -> dict[str, str]:
    """Variables that lead whatever is kept for a user below `home`, which is made."""
    temporary = home / TEMPORARY
    temporary.mkdir(parents=True, exist_ok=True)
    (home / _LAYER).mkdir(exist_ok=True)
    own = os.path.realpath(home)
    shown = {"HOME": own, "XDG_CACHE_HOME": f"{own}/.cache", "XDG_CONFIG_HOME": f"{own}/.config"}
    return {**shown, "TMPDIR": os.path.realpath(temporary)}
