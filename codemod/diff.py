"""A change set as a git patch: bytes in, bytes out, accepted by `git apply` and `git am`.

`difflib.unified_diff` alone is not enough: it knows no git headers and no file that ends
without a newline, and it works on text, while a kit may hold GBK beside UTF-8.
"""

from __future__ import annotations

import hashlib
import re
from difflib import SequenceMatcher
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from codemod.model import ChangeSet, FileChange

_LINE = re.compile(rb"[^\n]*\n|[^\n]+")
_HEADING = re.compile(rb"[A-Za-z_$]")
_QUOTED = re.compile(rb'[\x00-\x1f\x7f-\xff"\\]')
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
CONTEXT = 3


def patch(change_set: ChangeSet) -> bytes:
    """The git patch of `change_set`, without a mail header; empty when nothing changes."""
    return b"".join(
        file_patch(change, file_mode(change_set.source.root, change.path))
        for change in change_set.changes
    )


def file_mode(root: Path, path: str) -> str:
    """The mode git would record for the file: executable by its owner, or not."""
    executable = (root / path).stat().st_mode & 0o100
    return "100755" if executable else "100644"


def file_patch(change: FileChange, mode: str = "100644") -> bytes:
    """One file's part of a patch, from `diff --git` to its last hunk."""
    old, new = quoted("a/" + change.path), quoted("b/" + change.path)
    index = f"{blob_hash(change.old)}..{blob_hash(change.new)} {mode}".encode()
    head = b"diff --git %s %s\nindex %s\n--- %s\n+++ %s\n" % (old, new, index, old, new)
    return head + b"".join(hunks(change.old, change.new))


def blob_hash(data: bytes) -> str:
    """The name git gives to these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def quoted(path: str) -> bytes:
    """A path as git writes it in a header: C-quoted when it holds anything unusual."""
    raw = path.encode("utf-8", "surrogateescape")
    if not _QUOTED.search(raw):
        # git ends a name with a space by a tab, so that the space is seen to belong to it.
        return raw
    return b'"%s"' % _QUOTED.sub(lambda m: _escape(m.group()[0]), raw)


def _escape(byte: int) -> bytes:
    return (f"\\{_ESCAPES[byte]}" if byte in _ESCAPES else f"\\{byte:03o}").encode()


def lines_of(data: bytes) -> list[bytes]:
    r"""The lines of `data` with their ends; only `\n` ends a line, as in git."""
    return _LINE.findall(data)


def hunks(old: bytes, new: bytes) -> Iterator[bytes]:
    """The hunks of one file, each with its `@@` line."""
    before, after = lines_of(old), lines_of(new)
    for group in _groups(before, after):
        first, last = group[0], group[-1]
        heading = _heading(before, first[1])
        spans = _span(first[1], last[2]), _span(first[3], last[4])
        yield b"@@ -%s +%s @@%s\n" % (*spans, b" " + heading if heading else b"")
        yield b"".join(_body(group, before, after))


def _groups(
    before: list[bytes], after: list[bytes]
) -> Iterator[list[tuple[str, int, int, int, int]]]:
    """Difflib's grouped opcodes, with the equal head and tail cut off before it looks."""
    head = 0
    limit = min(len(before), len(after))
    while head < limit and before[head] == after[head]:
        head += 1
    tail = 0
    while tail < limit - head and before[-1 - tail] == after[-1 - tail]:
        tail += 1
    start, keep = max(0, head - CONTEXT), max(0, tail - CONTEXT)
    matcher = SequenceMatcher(
        None, before[start : len(before) - keep], after[start : len(after) - keep], autojunk=False
    )
    for group in matcher.get_grouped_opcodes(CONTEXT):
        yield [
            (tag, i1 + start, i2 + start, j1 + start, j2 + start) for tag, i1, i2, j1, j2 in group
        ]


def _body(
    group: list[tuple[str, int, int, int, int]], before: list[bytes], after: list[bytes]
) -> Iterator[bytes]:
    for tag, i1, i2, j1, j2 in group:
        if tag == "equal":
            yield from (_line(b" ", line) for line in before[i1:i2])
            continue
        yield from (_line(b"-", line) for line in before[i1:i2])
        yield from (_line(b"+", line) for line in after[j1:j2])


def _line(mark: bytes, line: bytes) -> bytes:
    if line.endswith(b"\n"):
        return mark + line
    return mark + line + b"\n\\ No newline at end of file\n"


def _span(start: int, stop: int) -> bytes:
    """`start,count` as in a hunk header: 1-based, and 0-based when the count is nothing."""
    count = stop - start
    if count == 1:
        return b"%d" % (start + 1)
    return b"%d,%d" % (start + 1 if count else start, count)


def _heading(before: list[bytes], start: int) -> bytes:
    """The class or function line above a hunk, which git shows to help the reader."""
    for line in reversed(before[:start]):
        if _HEADING.match(line):
            return line.strip()[:80]
    return b""
