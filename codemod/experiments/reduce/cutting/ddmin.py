"""Delta debugging: the fewest units of a list that still show what is looked for.

Zeller's and Hildebrandt's ddmin without its look at single parts, which hardly ever helps in a
program: a part of its statements does not run. picire has it too, but cannot be imported without
pkg_resources, which setuptools no longer has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

_Unit = TypeVar("_Unit")


def ddmin(
    units: Sequence[_Unit], first: Callable[[Iterator[list[_Unit]]], int | None]
) -> list[_Unit]:
    """A part of `units`, in order, of which no unit can be taken away alone.

    `first(parts)` gives the number of the first part that still shows it, None where none does;
    all of `units` does.
    """
    kept, parts = list(units), 2
    while kept:
        size = max(1, len(kept) // parts)
        smaller = _without_stretches(kept, size, first)
        if len(smaller) < len(kept):
            kept, parts = smaller, max(2, parts - 1)
        elif size == 1:
            break
        else:
            parts = min(len(kept), 2 * parts)
    return kept


def _without_stretches(
    kept: list[_Unit], size: int, first: Callable[[Iterator[list[_Unit]]], int | None]
) -> list[_Unit]:
    """`kept` without all stretches of that size that it can do without, from its end on."""
    # From the end: what uses a name goes before what binds it.
    end = len(kept)
    while end > 0:
        ends = range(end, 0, -size)
        found = first(kept[: max(0, one - size)] + kept[one:] for one in ends)
        if found is None:
            break
        end = max(0, ends[found] - size)
        kept = kept[:end] + kept[ends[found] :]
    return kept
