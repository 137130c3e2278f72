"""The lines that a run executed, told by those of the same run with the switch off.

Nearly all of them are the same, and a row keeps both.
"""

from __future__ import annotations

from collections.abc import Mapping

from codemod.training.reads import as_ranges, from_ranges

_LESS, _MORE = " but ", " and "


def shortened(ran: Mapping[str, str], off: Mapping[str, str]) -> dict[str, str]:
    """`ran` by path, as `STATE but 3-5 and 9`: without these lines of `off`, and with those.

    What is of another state of a file, or would not come back as it is, stays whole.
    """
    return {path: _short(lines, off.get(path, "")) for path, lines in ran.items()}


def whole(ran: Mapping[str, str], off: Mapping[str, str]) -> dict[str, str]:
    """`ran` as it was before `shortened`.

    Raises:
        ValueError: it tells no numbers, or of a file that `off` lacks.
    """
    return {path: _whole(lines, off.get(path, "")) for path, lines in ran.items()}


def _short(lines: str, off: str) -> str:
    (state, _, now), (other, _, then) = lines.partition(" "), off.partition(" ")
    if state != other or not now:
        return lines
    mine, theirs = from_ranges(now), from_ranges(then)
    told = f"{state}{_LESS}{as_ranges(theirs - mine)}{_MORE}{as_ranges(mine - theirs)}"
    return told if len(told) < len(lines) and _whole(told, off) == lines else lines


def _whole(lines: str, off: str) -> str:
    state, found, told = lines.partition(_LESS)
    if not found:
        return lines
    less, _, more = told.partition(_MORE)
    other, _, then = off.partition(" ")
    if state != other:
        raise ValueError("`ran` tells of a file that `off` lacks")
    return f"{state} {as_ranges(from_ranges(then) - from_ranges(less) | from_ranges(more))}"
