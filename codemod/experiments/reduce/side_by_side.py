"""Run what is asked for side by side, and hand it on in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

_Item = TypeVar("_Item")
_Result = TypeVar("_Result")


def side_by_side(
    pool: ThreadPoolExecutor,
    count: int,
    work: Callable[[_Item], _Result],
    items: Iterator[_Item],
) -> Iterator[tuple[_Item, _Result]]:
    """Each item with what `work` gives for it, in order; `count` are worked on at a time.

    Items are asked for as they are needed. Who stops early has had some worked on for nothing.
    """
    ahead: deque[tuple[_Item, Future[_Result]]] = deque()
    while True:
        while len(ahead) < count:
            one = next(items, None)
            if one is None:
                break
            ahead.append((one, pool.submit(work, one)))
        if not ahead:
            return
        item, run = ahead.popleft()
        yield item, run.result()
