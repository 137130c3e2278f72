"""All processes below this one, as Linux tells: how many, how much memory; and ending them."""

from __future__ import annotations

import os
import signal
from contextlib import suppress

_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20


class Watch:
    """Looks through the `/proc` that was there at the start, whatever is mounted over it later."""

    def __init__(self) -> None:
        try:
            self._proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            self._proc = -1

    def below(self, root: int) -> list[int]:
        """The processes below `root`, without it and without those that have ended."""
        children: dict[int, list[int]] = {}
        for name in self._names():
            fields = self._read(f"{name}/stat").rpartition(b")")[2].split()
            if len(fields) > 1 and fields[0] not in (b"Z", b"X"):
                children.setdefault(int(fields[1]), []).append(int(name))
        found, fresh = [], [root]
        while fresh:
            fresh = [child for one in fresh for child in children.pop(one, ())]
            found += fresh
        return found

    def resident_mb(self, pids: list[int], most: float) -> float:
        """The memory that they hold together; pages that several share count once.

        That is slow to ask, so it is asked only where the simple sum is over `most`.
        """
        simple = sum(self._resident_mb(pid) for pid in pids)
        return simple if simple <= most else sum(self._share_mb(pid) for pid in pids)

    def _resident_mb(self, pid: int) -> float:
        fields = self._read(f"{pid}/statm").split()
        return int(fields[1]) * _PAGE_MB if len(fields) > 1 else 0.0

    def _share_mb(self, pid: int) -> float:
        for line in self._read(f"{pid}/smaps_rollup").splitlines():
            if line.startswith(b"Pss:"):
                return int(line.split()[1]) / 1024
        return self._resident_mb(pid)

    def _names(self) -> list[str]:
        if self._proc < 0:
            return []
        return [name for name in os.listdir(self._proc) if name.isdigit()]  # noqa: PTH208

    def _read(self, path: str) -> bytes:
        try:
            file = os.open(path, os.O_RDONLY, dir_fd=self._proc)
        except OSError:
            return b""
        try:
            return os.read(file, 65536)
        except OSError:
            return b""
        finally:
            os.close(file)

    def end(self, first: int, *, count: bool) -> int:
        """End `first` (0: it has ended), and all below this process; how many beside it ran.

        `first` goes at once: if it is the first of a namespace, the system ends all others with it.
        """
        left = [pid for pid in self.below(os.getpid()) if pid != first] if count else []
        if first:
            _kill(first)
        for _ in range(1000):
            for pid in {*self.below(os.getpid()), *([first] if first else [])}:
                _kill(pid)
            if not _reap():
                break
        return len(left)


def _kill(pid: int) -> None:
    """End a process, and its group if it leads one: all there is to go by without `/proc`."""
    for end in (os.kill, os.killpg):
        with suppress(OSError):
            end(pid, signal.SIGKILL)


def _reap() -> bool:
    """Wait for a child that has ended; whether there may be more."""
    try:
        os.waitpid(-1, 0)
    except ChildProcessError:
        return False
    return True
