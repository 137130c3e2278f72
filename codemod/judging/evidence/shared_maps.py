"""Maps that rows of a file have alike, kept once: a line of its own, which rows name by its digest.

A kit that is a package of its own has some forty files in each row, and nearly all rows the same.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from codemod.judging.evidence.digests import checked, digest_of, text_of, with_digest

SHARED = "shared"
# The maps of a row that are large.
_FIELDS = ("hooks", "off")


def shared(lines: Iterable[str]) -> list[str]:
    """The lines of rows with maps that stand twice taken out; the lines of those come first.

    A row's digest stays that of the whole row.
    """
    rows = [json.loads(line) for line in lines]
    times = Counter(text_of(row[name]) for row in rows for name in _FIELDS if name in row)
    maps = {text: {SHARED: json.loads(text)} for text, count in sorted(times.items()) if count > 1}
    for row in rows:
        for name in _FIELDS:
            if name in row and (text := text_of(row[name])) in maps:
                row[name] = digest_of(maps[text])
    return [*sorted(map(with_digest, maps.values())), *map(text_of, rows)]


def map_of(content: dict[str, Any]) -> dict[str, Any]:
    """What a line of a map holds, by the name that rows have for it.

    Raises:
        ValueError: the line was changed.
    """
    known = checked(content)
    return {digest_of(known): known[SHARED]}


def whole(content: dict[str, Any], maps: Mapping[str, Any]) -> dict[str, Any]:
    """The row with the maps that it names.

    Raises:
        ValueError: the lines before it do not hold one of them.
    """
    named = {name: content[name] for name in _FIELDS if isinstance(content.get(name), str)}
    missing = [name for name, digest in named.items() if digest not in maps]
    if missing:
        raise ValueError(f"`{missing[0]}` is kept on a line of its own, and no line above is it")
    return content | {name: maps[digest] for name, digest in named.items()}
