"""Processes forked from this one, which share the work on many items."""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import connection
from typing import Any, TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


class Killed(Exception):
    """One of the processes was ended from outside."""


@contextmanager
def forked(
    work: Callable[[_Item], _Result], items: Sequence[_Item], at_once: int
) -> Iterator[Iterator[tuple[int, _Result]]]:
    """The results with the places of their items, as they come: each is made in its own process.

    So many run at once, and begin in the order of the items. They are all forked when the context
    is entered, from a process that must have no threads yet. None of them cleans up what its work
    has left: it ends.

    Raises:
        Killed: one of them was ended from outside.
    """
    # Forked: nothing is imported twice.
    context = multiprocessing.get_context("fork")
    children, pipes = [], []
    try:
        for item in items:
            ours, theirs = context.Pipe()
            pipes.append(ours)
            child = context.Process(target=_serve, args=(pipes, theirs, work, item), daemon=True)
            child.start()
            children.append(child)
            theirs.close()
        yield _results(pipes, at_once)
    finally:
        for child, pipe in zip(children, pipes, strict=False):
            pipe.close()
            child.terminate()
            child.join()


def _results(pipes: list[connection.Connection], at_once: int) -> Iterator[tuple[int, Any]]:
    """What comes out of the pipes, with their places; each begins when there is room for it."""
    waiting = list(enumerate(pipes))
    running: dict[Any, int] = {}
    while waiting or running:
        with _heard():
            while waiting and len(running) < at_once:
                place, pipe = waiting.pop(0)
                pipe.send(True)
                running[pipe] = place
        for ready in connection.wait(list(running)):
            place = running.pop(ready)
            with _heard():
                result, fault, told = pipes[place].recv()
            if fault is not None:
                raise fault from RuntimeError(told)
            yield place, result


@contextmanager
def _heard() -> Iterator[None]:
    """Talk with a process, which may be gone."""
    try:
        yield
    except (EOFError, OSError) as error:
        # Ctrl-C reaches the others too; where theirs came first, ours is a moment away.
        time.sleep(0.5)
        raise Killed from error


def _serve(
    inherited: Sequence[connection.Connection],
    pipe: connection.Connection,
    work: Callable[[_Item], _Result],
    item: _Item,
) -> None:
    """In the forked process: the work on an item, told through the pipe when it may begin."""
    # Ctrl-C ends it without a word; the process that forked it tells the user. Where it is
    # ignored there (a job in a script's background), it is ignored here.
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    # Or it would not be heard that the process is gone that holds the other ends.
    for one in inherited:
        one.close()
    # What is garbage goes with the process.
    gc.disable()
    try:
        pipe.recv()
    except EOFError:
        os._exit(1)
    try:
        answer = work(item), None, ""
    except Exception as error:
        pipe.send((None, error, traceback.format_exc()))
    else:
        pipe.send(answer)


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
