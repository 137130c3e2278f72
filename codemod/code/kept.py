"""What was read of a kit and is kept for the next reader, until the command goes on to another."""

from __future__ import annotations

from collections.abc import Callable
from functools import _lru_cache_wrapper, lru_cache, wraps
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar


class Holder(Protocol):
    """What keeps answers about itself."""

    @property
    def found(self) -> dict[tuple[object, ...], Any]:
        """The answers of `once_each` functions."""


Given = ParamSpec("Given")
Result = TypeVar("Result")
Of = TypeVar("Of", bound=Holder)

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


def once_each(
    function: Callable[Concatenate[Of, Given], Result],
) -> Callable[Concatenate[Of, Given], Result]:
    """Keeps each result with the object that it is of, so that it goes when that goes."""

    @wraps(function)
    def keeping(holder: Of, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        key = (function, *args, *kwargs.items())
        if key not in holder.found:
            holder.found[key] = function(holder, *args, **kwargs)
        result: Result = holder.found[key]
        return result

    return keeping
