"""Start one process, watch it and all that it starts, end them, and tell how it ended."""

from __future__ import annotations

import json
import os
import resource
import select
import signal
import stat
import sys
import time
from contextlib import suppress
from typing import Any, NoReturn

from . import landlock, namespaces, system
from .watch import Watch

_PAUSE_S = 0.2


def main() -> None:
    """Do what the request in the first argument says, and end as a program does."""
    request: dict[str, Any] = json.loads(sys.argv[1])
    for fd in (request["life"], request["report"]):
        os.set_inheritable(fd, False)
    report = os.fdopen(request["report"], "w")
    with suppress(OSError):
        system.prctl(system.SET_SUBREAPER, 1)
    box = _Running(request)
    limit = "asked"
    try:
        limit = box.watch()
    finally:
        left = box.end(limit)
    told = {"code": box.code, "limit": limit, "left": left, "contained": box.contained}
    report.write(json.dumps(told))
    report.close()


class _Running:
    """The started process as the supervisor sees it."""

    def __init__(self, request: dict[str, Any]) -> None:
        self._watch = Watch()
        self._bounds: dict[str, float] = request["bounds"]
        self._life: int = request["life"]
        self._since = time.monotonic()
        self.code = -signal.SIGKILL
        self.contained = "nothing"
        if request["contained"]:
            self.contained = landlock.contains()
            if namespaces.offered():
                namespaces.enter()
                self.contained = "all"
        self._wake, wake = os.pipe()
        os.set_blocking(wake, False)
        signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        self._status, status = os.pipe()
        # Opened now: while the first process makes a `/dev` of its own, there is none for a moment.
        empty = os.open(os.devnull, os.O_RDWR)
        self._first = os.fork()
        if self._first == 0:
            _first_process(request, self.contained, status)
        os.close(status)
        with suppress(AttributeError, OSError):
            # A swarm of processes must not starve whoever is to end it (only root may ask for it).
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(1))
        # The first process of a namespace tells how the real one ended, and waits to be ended.
        within = self.contained == "all"
        self._signs = [self._life, self._wake, *([self._status] if within else [])]
        self._log = _only_log(empty)

    def watch(self) -> str:
        """The limit that was met, "asked" where the starter wants an end, "" for its own end."""
        while True:
            ready, _, _ = select.select(self._signs, [], [], _PAUSE_S)
            if self._wake in ready:
                os.read(self._wake, 4096)
            if self._ended(self._status in ready):
                return ""
            if self._life in ready:
                return "asked"
            limit = self._met()
            if limit:
                return limit

    def _ended(self, told: bool) -> bool:
        """Whether the process that was started has ended; others are waited for in passing."""
        said = os.read(self._status, 64) if told else b""
        if said:
            self.code = int(said)
            return True
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return True
            if pid == 0:
                return False
            if pid == self._first:
                self.code = os.waitstatus_to_exitcode(status)
                self._first = 0
                return True

    def _met(self) -> str:
        most = self._bounds
        if most["wall_s"] and time.monotonic() - self._since > most["wall_s"]:
            return "wall"
        if most["log_mb"] and any(
            os.fstat(fd).st_size > most["log_mb"] * 2**20 for fd in self._log
        ):
            return "log"
        if most["processes"] or most["memory_mb"]:
            pids = self._watch.below(os.getpid())
            if most["processes"] and len(pids) > most["processes"]:
                return "processes"
            memory = most["memory_mb"]
            if memory and self._watch.resident_mb(pids, memory) > memory:
                return "memory"
        return ""

    def end(self, limit: str) -> int:
        """End all of it; how many processes ran beside the one that was started.

        Where a limit was met they are not counted: counting a swarm lets it grow.
        """
        return self._watch.end(self._first, count=not limit)


def _only_log(empty: int) -> list[int]:
    """Let go of the pipes, which are the process's; what is a file is measured.

    `empty` is an open `/dev/null`, which takes their place.
    """
    kept = []
    for fd in (1, 2):
        with suppress(OSError):
            if stat.S_ISREG(os.fstat(fd).st_mode):
                kept.append(os.dup(fd))
    for fd in (0, 1, 2):
        os.dup2(empty, fd)
    if empty > 2:
        os.close(empty)
    return kept


def _first_process(request: dict[str, Any], contained: str, status: int) -> NoReturn:
    """In the child: become what was asked for, or the first process of the box, which starts it."""
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        with suppress(OSError):
            system.prctl(system.SET_DEATH_SIGNAL, signal.SIGKILL)
        if contained == "all":
            namespaces.settle(request["writes"], request["covered"], request["scratch"])
            _serve(request, status)
        os.close(status)
        _become(request, contained)
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    os._exit(127)


def _serve(request: dict[str, Any], status: int) -> NoReturn:
    """As the first process of a namespace: start the real one, and wait for whoever ends.

    It is another one, for the system sends a first process no signal that it does not handle.
    """
    pid = os.fork()
    if pid == 0:
        os.close(status)
        with suppress(OSError):
            system.prctl(system.SET_DEATH_SIGNAL, signal.SIGKILL)
        _become(request, "all")
    system.drop_capabilities()
    empty = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(empty, fd)
    while True:
        ended, raw = os.wait()
        if ended == pid:
            os.write(status, str(os.waitstatus_to_exitcode(raw)).encode())
            break
    while True:
        signal.pause()


def _become(request: dict[str, Any], contained: str) -> NoReturn:
    """Take the limits and turn into the program."""
    try:
        os.setsid()
        # The kit's folder may just have been covered: the current folder is looked up again.
        os.chdir(os.getcwd())  # noqa: PTH109
        _limit(request["bounds"])
        if contained != "nothing":
            system.drop_capabilities()
            system.prctl(system.SET_NO_NEW_PRIVILEGES, 1)
        if contained != "nothing" and landlock.version():
            writes = [*request["writes"], *(request["covered"] if contained == "all" else ())]
            landlock.restrict(writes, tcp=contained == "all")
        os.execvp(request["argv"][0], request["argv"])  # noqa: S606
    except BaseException as error:
        os.write(2, f"{type(error).__name__}: {error}\n".encode())
    os._exit(127)


def _limit(bounds: dict[str, float]) -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if bounds["cpu_s"]:
        most = int(bounds["cpu_s"]) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
    if bounds["file_mb"]:
        size = int(bounds["file_mb"] * 2**20)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
