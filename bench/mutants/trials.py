"""A pytest plugin: the collected tests are run once for each mutant, in a process of its own."""

from __future__ import annotations

import contextlib
import io
import os
import resource
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.mutants.mutant import TOP, Mutant

if TYPE_CHECKING:
    from collections.abc import Iterable

# A mutant may take this many times the processor time of the tests themselves, and some seconds;
# one that builds a list without end may take so much memory.
PATIENCE, GRACE_S = 3, 5
MEMORY = 4 << 30
FLAGS = ("-m", "not slow", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist")


class Unsound(Exception):
    """The tests fail without a mutant."""


class Trials:
    """Takes the place of pytest's own loop."""

    def __init__(self, mutants: Iterable[Mutant]) -> None:
        self._mutants = tuple(mutants)
        self.survivors: list[Mutant] = []
        self.sound = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests as they are, then against each mutant until one fails."""
        before = _spent()
        self.sound = _passes(session, session.items, None, 3600)
        limit_s = int(PATIENCE * (_spent() - before)) + GRACE_S
        if self.sound:
            self.survivors = [
                one
                for one in self._mutants
                if _passes(session, _nearest_first(session.items, one), one, limit_s)
            ]
        return True


def survivors(mutants: Iterable[Mutant], tests: Iterable[str], words: str = "") -> list[Mutant]:
    """The mutants that no test notices; `words` are those of pytest's `-k`.

    Raises:
        Unsound: The tests fail without a mutant.
    """
    trials = Trials(mutants)
    with tempfile.TemporaryDirectory() as folder:
        args = [*FLAGS, "-k", words, f"--basetemp={folder}/base", f"--rootdir={TOP}", *tests]
        with contextlib.redirect_stdout(io.StringIO()):
            pytest.main(args, plugins=[trials])
    if not trials.sound:
        raise Unsound("the tests do not pass as they are")
    return trials.survivors


def _spent() -> float:
    """Processor time of the processes that have ended, in seconds."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _nearest_first(items: list[pytest.Item], mutant: Mutant) -> list[pytest.Item]:
    """The tests in an order in which those named as the mutant's module come first."""
    stem = Path(mutant.file).stem
    return sorted(items, key=lambda item: stem not in item.path.stem)


def _passes(
    session: pytest.Session, items: list[pytest.Item], mutant: Mutant | None, limit_s: int
) -> bool:
    """Whether all tests pass with the mutant, in a process of its own."""
    sys.stdout.flush()
    pid = os.fork()
    if pid:
        return os.waitpid(pid, 0)[1] == 0
    failed = True
    try:
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        os.dup2(silence, 2)
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s + 1))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        if mutant is not None:
            mutant.target().__code__ = mutant.code()
        for item, following in zip(items, [*items[1:], None], strict=True):
            item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed:
                break
        failed = bool(session.testsfailed)
    finally:
        os._exit(int(failed))
