"""What the text of a file shows of its imports and calls, read before it is parsed.

It may show more than there is: in comments, strings and other words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_WORD = re.compile(rb"[\w\x80-\xff]+")
_WORD_BYTES = bytes(n for n in range(256) if n >= 0x80 or chr(n).isalnum() or chr(n) == "_")
_BETWEEN = b" \t\r\n\f\v\\"
# Where a list in brackets, and one without, may end.
_IN_BRACKETS = re.compile(rb"[)#]")
_ON_LINE = re.compile(rb"[\\\n(]")
# What stands in front of `import`, and how far it and a call's owner are looked for.
_FROM = re.compile(rb"\bfrom[\s\\]*([.\w\x80-\xff]+)[\s\\]*\Z")
_FAR = 200
DOTS = b"."


def imported_words(text: bytes) -> Iterator[bytes]:
    """Every word of the imports of a text, names and modules, and other words around them.

    A package that is named by dots alone gives `DOTS`.
    """
    for at, listed in _import_lists(text):
        yield from _WORD.findall(listed)
        if source := _FROM.search(text, max(at - _FAR, 0), at):
            yield from _WORD.findall(source[1]) or (DOTS,)


def callees(text: bytes, name: bytes) -> set[bytes]:
    """The first words of what a text calls by a name: `NAME` of `NAME(`, `a` of `a.b.NAME(`.

    Most files that hold `Trainer(` define it, or have a longer name. Searched without a regular
    expression: one that begins by looking behind stops at every byte.
    """
    found = set()
    word = name + b"("
    at = text.find(word)
    while at >= 0:
        before = text[max(at - _FAR, 0) : at]
        longer = before[-1:].isalnum() or before.endswith(b"_")
        if before.rstrip(_BETWEEN).endswith(b"."):
            # Of `call().NAME(` there is no first word.
            if owner := _owner(before):
                found.add(owner)
        elif not longer and not before.endswith((b"def ", b"class ")):
            found.add(name)
        at = text.find(word, at + 1)
    return found


def _owner(before: bytes) -> bytes:
    """The first word of the dotted name that a text ends with, dot included; empty for none."""
    word, rest = b"", before.rstrip(_BETWEEN)
    while rest.endswith(b"."):
        rest = rest[:-1].rstrip(_BETWEEN)
        left = rest.rstrip(_WORD_BYTES)
        if left == rest:
            break
        word, rest = rest[len(left) :], left.rstrip(_BETWEEN)
    return word


def _import_lists(text: bytes) -> Iterator[tuple[int, bytes]]:
    """Where each `import` stands, and the word with what it lists.

    That is to the closing bracket, in which comments may hold more of these, or to the end of the
    line. More may match, in comments, strings and other words.
    """
    at = text.find(b"import")
    while at >= 0:
        end = _end_of_list(text, at + len(b"import"))
        yield at, text[at:end]
        at = text.find(b"import", end)


def _end_of_list(text: bytes, at: int) -> int:
    while at < len(text) and text[at] in _BETWEEN:
        at += 1
    in_brackets = text[at : at + 1] == b"("
    while found := (_IN_BRACKETS if in_brackets else _ON_LINE).search(text, at):
        at = found.end()
        if found[0] == b"#":
            line = text.find(b"\n", at)
            at = line if line >= 0 else len(text)
        elif found[0] == b"\\":
            at += 2 if text[at : at + 2] == b"\r\n" else 1
        else:
            return found.start()
    return len(text)


def sources(text: bytes, name: bytes) -> Iterator[bytes]:
    """The modules that imports may take a name from; empty where a text does not show one."""
    for at, listed in _import_lists(text):
        if name in listed and name in _WORD.findall(listed):
            source = _FROM.search(text, max(at - _FAR, 0), at)
            # A bracket that prose leaves open holds the imports behind it.
            alone = listed.count(b"import") == 1
            yield source[1] if source and alone else b""
