"""Processes forked from this one, which share the work on many items."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class Killed(Exception):
    """One of the processes was ended from outside."""


@contextmanager
def forked(
    workers: int,
) -> Iterator[Callable[[Callable[[_Item], _Result], _Item], Future[_Result]]]:
    """A `submit` to so many processes. This process must have no threads yet.

    Raises:
        Killed: one of them was ended from outside.
    """
    # Forked: nothing is imported twice.
    context = multiprocessing.get_context("fork")
    # Ctrl-C ends the workers without a word; this process tells the user. Where it is ignored
    # here (a job in a script's background), it is ignored there.
    heard = signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
    quiet = (signal.SIGINT, signal.SIG_DFL if heard else signal.SIG_IGN)
    try:
        with ProcessPoolExecutor(
            workers, mp_context=context, initializer=signal.signal, initargs=quiet
        ) as pool:
            yield pool.submit
    except BrokenProcessPool as error:
        # Ctrl-C reaches the workers too; where theirs came first, ours is a moment away.
        time.sleep(0.5)
        raise Killed from error


@contextmanager
def beside(work: Callable[[], None]) -> Iterator[None]:
    """Do work in a process of its own while the body runs, or after it where there is one core.

    What the work raises is raised here: where it fails, it is done again in this process, which
    must have no threads yet.
    """
    if (os.cpu_count() or 1) < 2:
        yield
        work()
        return
    process = multiprocessing.get_context("fork").Process(target=_silently, args=(work,))
    process.start()
    try:
        yield
    finally:
        process.join()
    if process.exitcode:
        work()


def _silently(work: Callable[[], None]) -> None:
    try:
        work()
    except BaseException:  # the one who waits tells it
        os._exit(1)
