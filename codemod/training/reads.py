"""What a run read and executed, as it noted it; compared with what is there now."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path

from codemod.base import given
from codemod.base.git_state import edited_and_new_files
from codemod.training.inject.parity_recorder.files.states import STATES

Reads = dict[str, str]
"""What was there by `kind:folder:path`; of modules that were not found, their names by folder."""

READS, _LINES = ".reads", ".lines"
CHECKOUT = "file::"
"""What the keys of the checkout's files begin with."""
_ABSENT = "absent"
_CHANGED = "?"  # no state of anything: what changed while it was read is never the same


def reads_file(record: Path) -> Path:
    """Where the run notes what it reads whose record is this file."""
    return record.with_name(record.name + READS)


def read_reads(files: Iterable[Path]) -> Reads:
    """What the runs read that noted it in these files; what they wrote themselves is left out.

    A folder in which a run had read before is not its own, though it asked for it to be made.
    """
    found: Reads = {}
    written: set[str] = set()
    there: set[str] = set()
    for file in files:
        for kind, folder, path, state in _lines(file):
            key = f"{kind}:{folder}:{path}"
            if kind == "written":
                written |= {f"{folder}:{path}"} - there
                continue
            if kind == "file" and state:
                there.update(_above(f"{folder}:{path}"))
            if found.setdefault(key, state) != state:
                found[key] = _CHANGED
    return _compact({key: state for key, state in found.items() if not _is_own(key, written)})


def _lines(file: Path) -> list[tuple[str, str, str, str]]:
    with given.believed(file):
        found = (json.loads(line) for line in given.lines(file) if line)
        return [(kind, folder, path, state) for kind, folder, path, state in found]


def _is_own(key: str, written: set[str]) -> bool:
    """Whether a run wrote what it looked at, or into the folder that it listed."""
    kind, _, place = key.partition(":")
    if kind == "list":
        return any(one.startswith(f"{place}/") or _above(one)[-1] == place for one in written)
    return not written.isdisjoint((*_above(place)[1:], place))


def _above(place: str) -> list[str]:
    """The folders around a file, the outermost first."""
    folder, _, path = place.partition(":")
    parts = path.split("/")
    return [f"{folder}:{'/'.join(parts[:n])}" for n in range(len(parts))]


def _compact(found: Reads) -> Reads:
    """With the names of modules that were nowhere in one text a folder: they are most."""
    absent: dict[str, list[str]] = {}
    rest: Reads = {}
    for key, state in found.items():
        kind, _, place = key.partition(":")
        if kind == "module" and not state:
            folder, _, path = place.partition(":")
            parent, _, name = path.rpartition("/")
            absent.setdefault(f"{_ABSENT}:{folder}:{parent}", []).append(name)
        else:
            rest[key] = state
    return dict(sorted({**rest, **{key: " ".join(sorted(n)) for key, n in absent.items()}}.items()))


def has_changed(reads: Mapping[str, str], folders: Mapping[str, Path]) -> bool:
    """Whether anything is not as the run found it.

    `folders` are those that were watched, by their keys. A run of which nothing is known is not
    the same as any.
    """
    return not reads or any(_is_other(key, state, folders) for key, state in reads.items())


def _is_other(key: str, state: str, folders: Mapping[str, Path]) -> bool:
    kind, _, place = key.partition(":")
    folder, _, path = place.partition(":")
    if folder not in folders:
        return True
    base = folders[folder] / path
    if kind == _ABSENT:
        return any(STATES["module"](str(base / name)) for name in state.split())
    return kind not in STATES or STATES[kind](str(base)) != state


def edited(reads: Mapping[str, str], root: Path) -> dict[str, str]:
    """What was read of those files of a checkout that are not as its revision has them.

    Such are those that git calls changed or new, and those that changed since they were read. A
    folder that git does not know has none of the first.
    """
    changed = frozenset(edited_and_new_files(root))
    files = {
        key.removeprefix(CHECKOUT): told for key, told in reads.items() if key.startswith(CHECKOUT)
    }
    return {
        path: told
        for path, told in files.items()
        if path in changed or STATES["file"](str(root / path)) != told
    }


def digest(reads: Mapping[str, str]) -> str:
    """A digest of all that was read."""
    return hashlib.sha256(json.dumps(sorted(reads.items())).encode()).hexdigest()[:16]


def lines_file(record: Path) -> Path:
    """Where the run notes its lines whose record is this file."""
    return record.with_name(record.name + _LINES)


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
    spans: list[list[int]] = []
    for number in sorted(set(lines)):
        if spans and number == spans[-1][1] + 1:
            spans[-1][1] = number
        else:
            spans.append([number, number])
    return " ".join(f"{first}-{last}" if last > first else f"{first}" for first, last in spans)


def from_ranges(text: str) -> frozenset[int]:
    """The numbers that such a text stands for."""
    spans = ([int(number) for number in part.split("-")] for part in text.split())
    return frozenset().union(*(range(span[0], span[-1] + 1) for span in spans))
