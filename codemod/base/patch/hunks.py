"""A file's change as hunks without context, and back again.

A hunk is the smallest thing a reviewer can take or leave. Everything works on bytes and
splits at LF alone, as git does, so that CR, form feeds and odd encodings stay in place.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from codemod.base.changeset import FileChange
from codemod.base.files.line_diff import changed_spans

# So many unchanged lines are shown around a change.
CONTEXT = 3


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines `old` at `start` (0-based, old file) become `new` at `new_start` (new file)."""

    path: str
    start: int
    new_start: int
    old: tuple[bytes, ...]
    new: tuple[bytes, ...]

    @property
    def stop(self) -> int:
        """One past the last old line that the hunk takes out."""
        return self.start + len(self.old)

    @property
    def new_stop(self) -> int:
        """One past the last line that the hunk puts in, in the new file."""
        return self.new_start + len(self.new)

    def holds(self, line: int | None) -> bool:
        """Whether the 1-based `line` of the new file is one of the hunk's."""
        return line is not None and self.new_start < line <= self.new_stop


@dataclass(frozen=True, slots=True)
class Block:
    """Neighbouring hunks whose contexts touch, with the old lines that they span together."""

    hunks: tuple[Hunk, ...]
    start: int
    stop: int

    @property
    def heading(self) -> str:
        """The `@@` line: where the block stands in both files, and how long it is."""
        first, last = self.hunks[0], self.hunks[-1]
        new_start = self.start + first.new_start - first.start
        new_stop = self.stop + last.new_stop - last.stop
        return f"@@ -{_span(self.start, self.stop)} +{_span(new_start, new_stop)} @@"


def _span(start: int, stop: int) -> str:
    """`start,count` as in a hunk header: 1-based, and 0-based when the count is nothing."""
    count = stop - start
    if count == 1:
        return str(start + 1)
    return f"{start + 1 if count else start},{count}"


def blocks(change: FileChange) -> list[Block]:
    """The hunks of a change, joined where their contexts would touch, as a diff joins them."""
    groups: list[list[Hunk]] = []
    for hunk in hunks_of(change):
        if groups and hunk.start - groups[-1][-1].stop <= 2 * CONTEXT:
            groups[-1].append(hunk)
        else:
            groups.append([hunk])
    total = len(split_lines(change.old))
    return [
        Block(tuple(group), max(0, group[0].start - CONTEXT), min(total, group[-1].stop + CONTEXT))
        for group in groups
    ]


def old_line(hunks: Iterable[Hunk], line: int) -> int:
    """The 1-based line of the old file at a line of the new one; before an insertion, the last."""
    moved = 0
    for hunk in hunks:
        if hunk.holds(line):
            return max(1, min(hunk.start + line - hunk.new_start, hunk.stop))
        if hunk.new_stop < line:
            moved = hunk.new_stop - hunk.stop
    return line - moved


def split_lines(data: bytes) -> list[bytes]:
    """The lines with their ends; only LF ends a line."""
    parts = data.split(b"\n")
    lines = [part + b"\n" for part in parts[:-1]]
    return [*lines, parts[-1]] if parts[-1] else lines


def hunks_of(change: FileChange) -> tuple[Hunk, ...]:
    """What differs between the old and the new bytes, in file order."""
    old, new = split_lines(change.old), split_lines(change.new)
    found: list[Hunk] = []
    for a, b, c, d in changed_spans(old, new):
        hunk = Hunk(change.path, a, c, tuple(old[a:b]), tuple(new[c:d]))
        found.append(_settled(hunk, old, found[-1].stop + 1 if found else 0))
    return tuple(found)


def _settled(hunk: Hunk, old: Sequence[bytes], floor: int) -> Hunk:
    """An insertion moved up as far as the text allows, but not above line `floor`.

    Where an inserted block may stand at several lines, the same block must be found at the
    same line in every change it is part of, or hunks of two changes could not be compared.
    """
    start, block = hunk.start, list(hunk.new)
    while not hunk.old and start > floor and block[-1] == old[start - 1]:
        start, block = start - 1, [block[-1], *block[:-1]]
    moved = hunk.start - start
    return Hunk(hunk.path, start, hunk.new_start - moved, hunk.old, tuple(block))


def compose(old: bytes, hunks: Iterable[Hunk]) -> bytes:
    """The file with just these hunks applied; they must not overlap.

    Raises:
        ValueError: the file does not hold the old lines of a hunk.
    """
    lines = split_lines(old)
    for hunk in sorted(hunks, key=lambda one: one.start, reverse=True):
        if tuple(lines[hunk.start : hunk.stop]) != hunk.old:
            raise ValueError(f"hunk at line {hunk.start + 1} does not fit {hunk.path}")
        lines[hunk.start : hunk.stop] = hunk.new
    return b"".join(lines)


def counts(hunks: Iterable[Hunk]) -> tuple[int, int]:
    """Lines added and lines removed."""
    seen = list(hunks)
    return sum(len(hunk.new) for hunk in seen), sum(len(hunk.old) for hunk in seen)
