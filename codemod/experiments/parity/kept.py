"""Kept runs: an experiment that was stopped continues where it was.

A run that came to its end leaves a stamp beside its record, which names all that it was made from;
it is good for as long as what the run read is as it was.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from pathlib import Path

from codemod.base.files.shared_file import replace_file
from codemod.training.reads import Reads, has_changed, read_reads, reads_file
from codemod.training.record import Record, read_ranks
from codemod.training.runner import INJECT, Command, RunRequest, recorder_checksum

_STAMP = ".stamp"


def once(
    command: Command,
    wanted: RunRequest,
    folder: Path,
    run: Callable[[], Record],
    fresh: bool = False,
) -> Record:
    """The record of the same run where it came to its end before, else of `run()`.

    What failed is always run again, and with `fresh` everything is.
    """
    known = None if fresh else _recall(command, wanted, folder)
    if known is not None:
        return known
    # Before the run starts to write its record anew.
    _stamp_file(wanted, folder).unlink(missing_ok=True)
    record = run()
    if all(one.outcome == "ok" for one in (record, *record.others)):
        replace_file(_stamp_file(wanted, folder), _stamp(command, wanted).encode())
    return record


def _recall(command: Command, wanted: RunRequest, folder: Path) -> Record | None:
    try:
        stamp = _stamp_file(wanted, folder).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    if stamp != _stamp(command, wanted):
        return None
    if command.watched and has_changed(run_reads(folder, (wanted.name,)), command.watched):
        return None
    return read_ranks(folder / f"{wanted.name}.jsonl", wanted.ranks, "ok")


def run_reads(folder: Path, names: Iterable[str]) -> Reads:
    """What the runs of these names read in the folders that were watched."""
    return read_reads(reads_file(folder / f"{name}.jsonl") for name in names)


def ended_well(folder: Path, name: str) -> bool:
    """Whether the run of that name came to its end, when it was last made."""
    return (folder / f"{name}{_STAMP}").is_file()


def _stamp_file(wanted: RunRequest, folder: Path) -> Path:
    return folder / f"{wanted.name}{_STAMP}"


def _stamp(command: Command, wanted: RunRequest) -> str:
    made_from = (
        command.argv,
        str(command.cwd),
        sorted({**command.env, **dict(wanted.env)}.items()),
        wanted.request(INJECT),
    )
    return hashlib.sha256(json.dumps([made_from, recorder_checksum()]).encode()).hexdigest()
