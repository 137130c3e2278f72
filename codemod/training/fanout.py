"""Calls made several at a time, each answer handed over as it comes, or in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import islice
from typing import TypeVar

from codemod.training.cluster import WorkerLost

Item = TypeVar("Item")
Answer = TypeVar("Answer")


def fan_out(
    items: Iterable[Item], call: Callable[[Item], Answer], jobs: int
) -> Generator[tuple[Item, Answer | WorkerLost], None, None]:
    """Each item with what `call` returns for it, or why it was lost, in the order of the answers.

    `jobs` calls are made at the same time. Whoever stops asking, by Ctrl-C say, gets no further
    answers, and no further call is begun; those under way are not waited for.

    Raises:
        Exception: whatever a call raises, but `WorkerLost`.
    """
    pool = ThreadPoolExecutor(jobs)
    try:
        asked = {pool.submit(call, item): item for item in items}
        for done in as_completed(asked):
            fault = done.exception()
            if fault is None:
                yield asked[done], done.result()
            elif isinstance(fault, WorkerLost):
                yield asked[done], fault
            else:
                raise fault
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def side_by_side(
    pool: ThreadPoolExecutor, count: int, work: Callable[[Item], Answer], items: Iterator[Item]
) -> Iterator[tuple[Item, Answer]]:
    """Each item with what `work` gives for it, in order; `count` are worked on at a time.

    Items are asked for as they are needed. Who stops early has had some worked on for nothing.
    """
    begun = ((item, pool.submit(work, item)) for item in items)
    ahead = deque(islice(begun, count))
    while ahead:
        item, run = ahead.popleft()
        yield item, run.result()
        ahead.extend(islice(begun, 1))
