"""One line of a rewrite that is too long, broken as the kit's formatter breaks lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from codemod.engine.rewrite.layout import Width

_LEVEL = " " * 4
_OPEN, _CLOSE = "([{", ")]}"
_STRING = re.compile(r"""\"(?:\\.|[^"\\])*\"|'(?:\\.|[^'\\])*'""")


def broken(line: bytes, width: Width) -> list[bytes]:
    """The lines that take the place of one; none where it fits, or cannot be broken."""
    text = line.decode("utf-8", "surrogateescape")
    body = text.rstrip("\r\n")
    if len(body) <= width.columns or "#" in body:
        return []
    indent = body[: len(body) - len(body.lstrip())]
    parts = _parts(body, indent, width)
    end = text[len(body) :]
    return [(part + end).encode("utf-8", "surrogateescape") for part in parts]


def _parts(body: str, indent: str, width: Width) -> list[str]:
    """Broken behind a bracket that this line closes, before what is assigned, or between items."""
    if pair := _last_pair(body):
        start, stop = pair
        head, inner, tail = body[: start + 1], body[start + 1 : stop], body[stop:]
        if width.black:
            return [head, indent + _LEVEL + inner, indent + tail]
        return _first_fitting(body, indent, width) or [head, indent + _LEVEL + inner + tail]
    target, equals, value = body.partition(" = ")
    if equals and body.endswith(tuple(_OPEN)):
        return [f"{target} = \\", f"{indent}{_LEVEL}{value}"]
    commas = [at for at, mark, depth in _marks(body) if mark == "," and depth <= 0]
    if commas and width.black:
        ends = [*(at + 1 for at in commas), len(body)]
        items = [body[a:b].strip() for a, b in zip([0, *ends], ends, strict=False)]
        return [f"{indent}{item.rstrip(',')}," for item in items if item]
    fitting = [at + 1 for at in commas if at < width.columns]
    return [body[: fitting[-1]], indent + body[fitting[-1] :].strip()] if fitting else []


def _first_fitting(body: str, indent: str, width: Width) -> list[str]:
    """Broken behind the last outer bracket before and behind which the parts fit."""
    opens = [at + 1 for at, mark, depth in _marks(body) if mark in _OPEN and depth <= 0]
    made = ([body[:at], indent + _LEVEL + body[at:]] for at in reversed(opens))
    return next((parts for parts in made if max(map(len, parts)) <= width.columns), [])


def _last_pair(body: str) -> tuple[int, int] | None:
    """The bracket that ends the line, a colon or comma aside, with the one that opens it."""
    stop = len(body.rstrip(":,")) - 1
    stack: list[int] = []
    for at, mark, _ in _marks(body):
        if mark in _OPEN:
            stack.append(at)
        elif mark in _CLOSE:
            start = stack.pop() if stack else -1
            if at == stop:
                return (start, stop) if 0 <= start < stop - 1 else None
    return None


def _marks(body: str) -> Iterator[tuple[int, str, int]]:
    """The brackets and commas outside of texts, each with the depth around it."""
    bare = _STRING.sub(lambda found: "x" * len(found[0]), body)
    depth = 0
    for at, mark in enumerate(bare):
        depth -= mark in _CLOSE
        if mark in (*_OPEN, *_CLOSE, ","):
            yield at, mark, depth
        depth += mark in _OPEN
