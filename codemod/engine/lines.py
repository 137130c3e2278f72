"""Which lines of a changed file are new."""

from __future__ import annotations

import difflib


def added_lines(old: bytes, new: bytes) -> frozenset[int]:
    """1-based numbers of the new file's lines that the old one lacks, or has elsewhere."""
    matcher = difflib.SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False)
    return frozenset(
        line + 1
        for tag, _, _, start, end in matcher.get_opcodes()
        if tag in ("insert", "replace")
        for line in range(start, end)
    )
