"""One group of hunks as terminal lines: unified, or the two files side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.cells import cell_len
from rich.style import Style

from codemod.base.patch.hunks import Block
from codemod.reports.review.source import NO_NEWLINE, Line, Run, marked

_GUTTER = 5  # digits of a line number; a longer number shifts its line, never hides it
# Foreground colours only: a background is unreadable on half of the terminals in use.
_ADDED = Style(color="green", bold=True)
_REMOVED = Style(color="red")
_DIM = Style(dim=True)
_HEAD = Style(color="cyan")
_SIGNS = {"+": _ADDED, "-": _REMOVED, " ": _DIM}

Row = tuple[Run, ...]


@dataclass(frozen=True, slots=True)
class FileView:
    """Both sides of one file, ready to be shown."""

    old: Sequence[Line]
    new: Sequence[Line]


@dataclass(frozen=True, slots=True)
class _Pair:
    """One row of both sides: line indices, or None where a side has no line."""

    old: int | None
    new: int | None
    changed: bool


def _pairs(block: Block) -> Iterator[_Pair]:
    at = block.start
    for hunk in block.hunks:
        shift = hunk.new_start - hunk.start
        for index in range(at, hunk.start):
            yield _Pair(index, index + shift, False)
        for offset in range(max(len(hunk.old), len(hunk.new))):
            yield _Pair(
                hunk.start + offset if offset < len(hunk.old) else None,
                hunk.new_start + offset if offset < len(hunk.new) else None,
                True,
            )
        at = hunk.stop
    last = block.hunks[-1]
    for index in range(at, block.stop):
        yield _Pair(index, index + last.new_stop - last.stop, False)


def unified(view: FileView, block: Block) -> Iterator[Row]:
    """`@@` line, then context, removed and added lines."""
    yield ((block.heading, _HEAD),)
    for changed, group in groupby(_pairs(block), key=lambda pair: pair.changed):
        pairs = list(group)
        if not changed:
            for pair in pairs:
                yield from _one(" ", view.old, pair.old)
            continue
        for pair in pairs:
            yield from _one("-", view.old, pair.old)
        for pair in pairs:
            yield from _one("+", view.new, pair.new)


def _one(sign: str, side: Sequence[Line], index: int | None) -> Iterator[Row]:
    if index is not None:
        yield ((sign, _SIGNS[sign]), *_shown(sign, side[index]))
        if not side[index].ended:
            yield ((NO_NEWLINE, _DIM),)


def _shown(sign: str, line: Line) -> Row:
    """A line's runs: added ones in their language's colours, the others subdued."""
    return line.runs if sign == "+" else tuple(marked(line, _SIGNS[sign]))


def fits(view: FileView, block: Block, width: int) -> bool:
    """Whether every line of the block fits into half of the width."""
    column = _column(width)
    return all(
        (pair.old is None or view.old[pair.old].width <= column)
        and (pair.new is None or view.new[pair.new].width <= column)
        for pair in _pairs(block)
    )


def _column(width: int) -> int:
    return (width - 3) // 2 - _GUTTER - 3


def side_by_side(view: FileView, block: Block, width: int) -> Iterator[Row]:
    """Old file on the left, new file on the right, each with its line numbers."""
    column = _column(width)
    yield ((block.heading, _HEAD),)
    for pair in _pairs(block):
        left = _cell(view.old, pair.old, "-" if pair.changed else " ", column)
        right = _cell(view.new, pair.new, "+" if pair.changed else " ", column)
        yield (*left, (" │ ", _DIM), *right)


def _cell(side: Sequence[Line], index: int | None, sign: str, column: int) -> Row:
    if index is None:
        return ((" " * (column + _GUTTER + 3), None),)
    line = side[index]
    rest = " " * (column - cell_len(line.text))
    return (
        (f"{index + 1:>{_GUTTER}} ", _DIM),
        (f"{sign} ", _SIGNS[sign]),
        *_shown(sign, line),
        (rest, None),
    )
