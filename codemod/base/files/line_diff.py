"""Where two lists of lines differ, at a cost that grows with their length alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

# Pairs of equal lines that `SequenceMatcher` may look at: about a second.
MOST_PAIRS = 1_000_000


class Span(NamedTuple):
    """Lines `start` to `stop` of the old list became `new_start` to `new_stop` of the new one.

    0-based, each stop one past the last line.
    """

    start: int
    stop: int
    new_start: int
    new_stop: int


def changed_spans(old: Sequence[bytes], new: Sequence[bytes]) -> list[Span]:
    """The spans in which two lists of lines differ, in order."""
    head = _common(old, new)
    tail = _common(old[head:][::-1], new[head:][::-1])
    middle = old[head : len(old) - tail], new[head : len(new) - tail]
    return [Span(*(head + place for place in span)) for span in _spans(*middle)]


def added_lines(old: bytes, new: bytes) -> frozenset[int]:
    """1-based numbers of the new text's lines that the old one lacks, or has elsewhere."""
    return new_lines(changed_spans(old.splitlines(), new.splitlines()))


def new_lines(spans: Iterable[Span]) -> frozenset[int]:
    """1-based numbers of the new text's lines that are in the spans."""
    return frozenset(line + 1 for span in spans for line in range(span.new_start, span.new_stop))


def _spans(old: Sequence[bytes], new: Sequence[bytes]) -> list[Span]:
    """The same for lists that begin and end unlike each other.

    `SequenceMatcher` looks at every pair of equal lines, of which thousands of like lines make
    millions; there the lines that are new are found by passing over those that are old.
    """
    times = Counter(new)
    if sum(times[line] for line in old) > MOST_PAIRS:
        return _insertions(old, new) or [Span(0, len(old), 0, len(new))]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [Span(*places) for tag, *places in matcher.get_opcodes() if tag != "equal"]


def _insertions(old: Sequence[bytes], new: Sequence[bytes]) -> list[Span]:
    """The spans that turn `old` into `new` by insertions alone; [] where these do not do."""
    spans: list[Span] = []
    at = begun = 0
    for index, line in enumerate(new):
        if at < len(old) and line == old[at]:
            if begun < index:
                spans.append(Span(at, at, begun, index))
            at, begun = at + 1, index + 1
    if begun < len(new):
        spans.append(Span(at, at, begun, len(new)))
    return spans if at == len(old) else []


def _common(left: Sequence[bytes], right: Sequence[bytes]) -> int:
    """How many lines two lists have in common at their beginning."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(left), len(right)))
