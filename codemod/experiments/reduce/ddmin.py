"""Delta debugging: the fewest units of a list that still show what is looked for.

Zeller's and Hildebrandt's ddmin without its look at single parts, which hardly ever helps in a
program: a part of its statements does not run. picire has it too, but cannot be imported without
pkg_resources, which setuptools no longer has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

_Unit = TypeVar("_Unit")


def ddmin(units: Sequence[_Unit], shows: Callable[[list[_Unit]], bool]) -> list[_Unit]:
    """A part of `units`, in order, of which no unit can be taken away alone.

    `shows(part)` says whether a part still shows it; for all of `units` it does.
    """
    kept, parts = list(units), 2
    while kept:
        size = max(1, len(kept) // parts)
        smaller = _without_one(kept, size, shows)
        if len(smaller) < len(kept):
            kept, parts = smaller, max(2, parts - 1)
        elif size == 1:
            break
        else:
            parts = min(len(kept), 2 * parts)
    return kept


def _without_one(kept: list[_Unit], size: int, shows: Callable[[list[_Unit]], bool]) -> list[_Unit]:
    """`kept` without all stretches of that size that it can do without, from its end on."""
    # From the end: what uses a name goes before what binds it.
    end = len(kept)
    while end > 0:
        start = max(0, end - size)
        rest = kept[:start] + kept[end:]
        if shows(rest):
            kept = rest
        end = start
    return kept
