"""A pytest plugin: the collected tests are run once for each mutant, in a process of its own."""

from __future__ import annotations

import contextlib
import io
import json
import math
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bench.mutants.mutant import TOP, Mutant

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

# A mutant may take this many times the processor time of the tests themselves, and some seconds;
# one that builds a list without end may take so much memory.
PATIENCE, GRACE_S = 3, 5
MEMORY = 4 << 30
FLAGS = ("-m", "not slow", "--tb=no", "-p", "no:cacheprovider", "-p", "no:xdist")


class Unsound(Exception):
    """The tests fail without a mutant."""


# The functions that the running test has called, of those that tell.
CALLED: set[str] = set()


class _Calls:
    """Which tests call the functions of the mutants, and how long each test takes."""

    def __init__(self, mutants: Iterable[Mutant], file: Path) -> None:
        self._functions = {_name(one): one for one in mutants}
        self._file = file
        self._callers: dict[str, dict[str, float]] = {}

    def start(self) -> None:
        """Have each function tell that it is called: tracing would slow down all of them."""
        for name, one in self._functions.items():
            tells = f"import {__name__} as _told; _told.CALLED.add({name!r})"
            one.target().__code__ = one.code_with(tells)

    @contextlib.contextmanager
    def of(self, item: pytest.Item) -> Iterator[None]:
        """Note what is called while a test runs."""
        CALLED.clear()
        began = time.process_time()
        yield
        for name in CALLED:
            self._callers.setdefault(name, {})[item.nodeid] = time.process_time() - began

    def write(self) -> None:
        """Keep it for the process that asks."""
        self._file.write_text(json.dumps(self._callers), encoding="utf-8")

    def read(self) -> None:
        """Take what the process of the tests has written."""
        text = self._file.read_text(encoding="utf-8")
        self._callers = json.loads(text) if text else {}

    def callers_first(self, items: list[pytest.Item], mutant: Mutant) -> list[pytest.Item]:
        """The tests with those first that call the mutant's function, the quickest of them first.

        Then those named as its module: what a process that a test starts calls is not seen.
        """
        callers = self._callers.get(_name(mutant), {})
        stem = Path(mutant.file).stem

        def rank(item: pytest.Item) -> tuple[float, bool]:
            return callers.get(item.nodeid, math.inf), stem not in item.path.stem

        return sorted(items, key=rank)


def _name(mutant: Mutant) -> str:
    return f"{mutant.file}:{mutant.function}"


class Trials:
    """Takes the place of pytest's own loop."""

    def __init__(self, mutants: Iterable[Mutant]) -> None:
        self._mutants = tuple(mutants)
        self.survivors: list[Mutant] = []
        self.sound = False

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests as they are, then against each mutant until one fails."""
        before = _spent()
        with tempfile.NamedTemporaryFile() as file:
            calls = _Calls(self._mutants, Path(file.name))
            self.sound = _passes(session, session.items, None, 3600, calls)
            calls.read()
        limit_s = int(PATIENCE * (_spent() - before)) + GRACE_S
        if self.sound:
            self.survivors = [
                one
                for one in self._mutants
                if _passes(session, calls.callers_first(session.items, one), one, limit_s)
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


def _passes(
    session: pytest.Session,
    items: list[pytest.Item],
    mutant: Mutant | None,
    limit_s: int,
    calls: _Calls | None = None,
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
        if calls:
            calls.start()
        if mutant is not None:
            mutant.target().__code__ = mutant.code()
        for item, following in zip(items, [*items[1:], None], strict=True):
            with calls.of(item) if calls else contextlib.nullcontext():
                item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
            if session.testsfailed:
                break
        failed = bool(session.testsfailed)
        if calls:
            calls.write()
    finally:
        os._exit(int(failed))
