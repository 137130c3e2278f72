"""The lines of the checkout that a run executed, as it noted them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path

from codemod.base import given

ENDING = ".lines"


def lines_file(record: Path) -> Path:
    """Where the run notes its lines whose record is this file."""
    return record.with_name(record.name + ENDING)


def read_executed(file: Path) -> dict[str, frozenset[int]]:
    """The executed lines (from 1) by path in the checkout; empty where no run noted any."""
    found = defaultdict(set)
    with given.believed(file):
        for path, number in map(json.loads, filter(None, given.lines(file))):
            found[path].add(number)
    return {path: frozenset(found[path]) for path in sorted(found)}


def executed_of(file: Path, states: Mapping[str, str]) -> dict[str, str]:
    """Of the files with these digests: the digest, and the executed lines, as `0123abcd 3-5 9`."""
    return {
        path: f"{states[path]} {as_ranges(lines)}"
        for path, lines in read_executed(file).items()
        if path in states
    }


def as_ranges(lines: Iterable[int]) -> str:
    """Numbers as text: `3-5 9` for 3, 4, 5 and 9."""
    runs = groupby(enumerate(sorted(set(lines))), key=lambda pair: pair[1] - pair[0])
    spans = [[number for _, number in run] for _, run in runs]
    return " ".join(f"{s[0]}-{s[-1]}" if len(s) > 1 else str(s[0]) for s in spans)


def from_ranges(text: str) -> frozenset[int]:
    """The numbers that such a text stands for."""
    spans = [[int(number) for number in part.split("-")] for part in text.split()]
    return frozenset(n for span in spans for n in range(span[0], span[-1] + 1))
