"""Which lines of a changed file are new."""

from __future__ import annotations

from codemod.base.files.line_diff import changed_spans


def added_lines(old: bytes, new: bytes) -> frozenset[int]:
    """1-based numbers of the new file's lines that the old one lacks, or has elsewhere."""
    spans = changed_spans(old.splitlines(), new.splitlines())
    return frozenset(line + 1 for span in spans for line in range(span.new_start, span.new_stop))
