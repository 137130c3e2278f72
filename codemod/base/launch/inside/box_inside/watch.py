"""All processes below this one, as Linux tells: how many, how much memory; and ending them."""

from __future__ import annotations

import os
import signal
from contextlib import contextmanager, suppress
from functools import partial
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_PAGE_MB = os.sysconf("SC_PAGE_SIZE") / 2**20


class Watch:
    """Looks through the `/proc` that was there at the start, whatever is mounted over it later."""

    def __init__(self) -> None:
        try:
            self._proc = os.open("/proc", os.O_RDONLY | os.O_DIRECTORY)
        except OSError:
            self._proc = -1

    def below(self, root: int) -> dict[int, int]:
        """The processes below `root` with their parents, without it and those that have ended."""
        children: dict[int, list[int]] = {}
        for name in self._names():
            parent = self._parent(name)
            if parent:
                children.setdefault(parent, []).append(int(name))
        found: dict[int, int] = {}
        fresh = [root]
        while fresh:
            born = {child: one for one in fresh for child in children.pop(one, ())}
            found |= born
            fresh = list(born)
        return found

    def _parent(self, pid: str) -> int:
        """The parent of a process that runs; 0 where there is none."""
        fields = self._read(f"{pid}/stat").rpartition(b")")[2].split()
        return int(fields[1]) if len(fields) > 1 and fields[0] not in (b"Z", b"X") else 0

    def resident_mb(self, pids: Iterable[int], most: float) -> float:
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
            _end_child(first)
        for _ in range(1000):
            for pid, parent in self.below(os.getpid()).items():
                self.end_below(pid, parent)
            if not _reap():
                break
        return len(left)

    def end_below(self, pid: int, parent: int) -> None:
        """End a process that was seen below this one, unless its number is another's by now.

        Where processes come and go by the thousand a number is given out again within a moment.
        """
        with suppress(OSError), _held(pid) as end:
            if self._parent(str(pid)) in (parent, os.getpid()):
                end(signal.SIGKILL)


@contextmanager
def _held(pid: int) -> Iterator[Callable[[int], None]]:
    """What signals this process and no later one of its number, where the system offers that.

    Raises:
        OSError: it has ended.
    """
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        raise
    except (AttributeError, OSError):
        yield partial(os.kill, pid)
        return
    try:
        yield partial(signal.pidfd_send_signal, handle)
    finally:
        os.close(handle)


def _end_child(pid: int) -> None:
    """End a child, whose number is its own until it is waited for, and its group if it leads one.

    The group is all there is to go by without `/proc`.
    """
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
