"""A change set as a git patch: bytes in, bytes out, accepted by `git apply` and `git am`.

`difflib.unified_diff` alone is not enough: it knows no git headers and no file that ends
without a newline, and it works on text, while a kit may hold GBK beside UTF-8.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from codemod.base.changeset import ChangeSet, FileChange
from codemod.base.git_state import object_name
from codemod.base.patch.hunks import Block, blocks, split_lines

_HEADING = re.compile(rb"[A-Za-z_$]")
_QUOTED = re.compile(rb'[\x00-\x1f\x7f-\xff"\\]')
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


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
    index = f"{object_name(change.old)}..{object_name(change.new)} {mode}".encode()
    head = b"diff --git %s %s\nindex %s\n--- %s\n+++ %s\n" % (old, new, index, old, new)
    return head + b"".join(hunks(change))


def quoted(path: str) -> bytes:
    """A path as git writes it in a header: C-quoted when it holds anything unusual."""
    raw = os.fsencode(path)
    if not _QUOTED.search(raw):
        return raw
    return b'"%s"' % _QUOTED.sub(lambda m: _escape(m.group()[0]), raw)


def _escape(byte: int) -> bytes:
    return (f"\\{_ESCAPES[byte]}" if byte in _ESCAPES else f"\\{byte:03o}").encode()


def hunks(change: FileChange) -> Iterator[bytes]:
    """The hunks of one file with their context, each with its `@@` line."""
    before = split_lines(change.old)
    for block in blocks(change):
        heading = _heading(before[: block.start])
        yield b"%s%s\n" % (block.heading.encode(), b" " + heading if heading else b"")
        yield b"".join(_body(block, before))


def _body(block: Block, before: list[bytes]) -> Iterator[bytes]:
    start = block.start
    for hunk in block.hunks:
        yield from (_line(b" ", line) for line in before[start : hunk.start])
        yield from (_line(b"-", line) for line in hunk.old)
        yield from (_line(b"+", line) for line in hunk.new)
        start = hunk.stop
    yield from (_line(b" ", line) for line in before[start : block.stop])


def _line(mark: bytes, line: bytes) -> bytes:
    if line.endswith(b"\n"):
        return mark + line
    return mark + line + b"\n\\ No newline at end of file\n"


def _heading(above: list[bytes]) -> bytes:
    """The class or function line above a hunk, which git shows to help the reader."""
    for line in reversed(above):
        if _HEADING.match(line):
            return line.strip()[:80]
    return b""
