"""Maps that rows of a file have alike, kept once: a line of its own, which rows name by its digest.

A kit that is a package of its own has some forty files in each row, and nearly all rows the same.
A map that is nearly one of those is what it has besides, and which of its keys it lacks.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from codemod.judging.evidence.digests import checked, digest_of, text_of, with_digest

SHARED, LIKE, WITHOUT = "shared", "like", "without"
# The maps of a row that are large.
_FIELDS = ("hooks", "off")
_NO_LINE = "`{}` is kept on a line of its own, and no line above is it"


def shared(lines: Iterable[str]) -> list[str]:
    """The lines of rows with maps that stand twice, or are nearly such a one, taken out.

    The lines of maps come first. A row's digest stays that of the whole row.
    """
    rows = [json.loads(line) for line in lines]
    times = Counter(text_of(row[name]) for row in rows for name in _FIELDS if name in row)
    wholes: dict[str, str] = {}
    nearly: dict[str, str] = {}
    for text, count in sorted(times.items(), key=lambda one: (-one[1], one[0])):
        told = [with_digest(_less(json.loads(text), json.loads(other))) for other in wholes]
        least = min(told, key=lambda line: (len(line), line), default=text)
        if 2 * len(least) < len(text):
            nearly[text] = least
        elif count > 1:
            wholes[text] = with_digest({SHARED: json.loads(text)})
    for row in rows:
        for name in _FIELDS:
            if name in row and ((text := text_of(row[name])) in wholes or text in nearly):
                row[name] = _name(row[name])
    return [*sorted(wholes.values()), *sorted(nearly.values()), *map(text_of, rows)]


def _name(of: Any) -> str:
    """What rows call a map."""
    return digest_of({SHARED: of})


def _less(own: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """A map without what it has of another one."""
    besides = {key: value for key, value in own.items() if other.get(key, ...) != value}
    return {LIKE: _name(other), SHARED: besides, WITHOUT: sorted(other.keys() - own.keys())}


def map_of(content: dict[str, Any], maps: Mapping[str, Any]) -> dict[str, Any]:
    """What a line of a map holds, by the name that rows have for it; `maps` are those above it.

    Raises:
        ValueError: the line was changed, or the map that it is like is not above it.
    """
    known = checked(content)
    own = known[SHARED]
    if LIKE in known:
        other, without = maps.get(str(known[LIKE])), known.get(WITHOUT)
        if not isinstance(other, dict):
            raise ValueError(_NO_LINE.format(LIKE))
        if not (isinstance(own, dict) and isinstance(without, list)):
            raise ValueError(f"`{LIKE}` wants a map beside it, and a list of keys it is without")
        own = {key: one for key, one in other.items() if key not in without} | own
    return {_name(own): own}


def whole(content: dict[str, Any], maps: Mapping[str, Any]) -> dict[str, Any]:
    """The row with the maps that it names.

    Raises:
        ValueError: the lines before it do not hold one of them.
    """
    named = {name: content[name] for name in _FIELDS if isinstance(content.get(name), str)}
    missing = [name for name, digest in named.items() if digest not in maps]
    if missing:
        raise ValueError(_NO_LINE.format(missing[0]))
    return content | {name: maps[digest] for name, digest in named.items()}
