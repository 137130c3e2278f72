"""What was read of a kit and is kept for the next reader, until the command goes on to another."""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache
from typing import TypeVar

Result = TypeVar("Result")

_FORGET: list[Callable[[], None]] = []


def kept(number: int | None) -> Callable[[Callable[..., Result]], _lru_cache_wrapper[Result]]:
    """Keep the last so many results of a function, all for None, until `forget`."""

    def keeping(function: Callable[..., Result]) -> _lru_cache_wrapper[Result]:
        made = lru_cache(maxsize=number)(function)
        _FORGET.append(made.cache_clear)
        return made

    return keeping


def forget() -> None:
    """Let go what is kept: a kit's syntax trees take half a gigabyte."""
    for clear in _FORGET:
        clear()
