"""Many writers at once of one file of the base: every row of every one of them is there after.

Each writer is a process; some add rows, some keep proofs of fixes, some write results, and some are
killed in the midst. What a writer said that it wrote is there, and every line is whole.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from typing import TYPE_CHECKING

from bench.attack.table import attack
from codemod.base.files.workspace import Workspace
from codemod.judging.evidence import base
from codemod.judging.evidence.fix_proofs import PROOFS, Dynamic, FixProof, keep_proof
from codemod.judging.evidence.result import ModeResult, Result
from codemod.judging.evidence.result_files import read_result, write_result
from codemod.judging.evidence.rows import EvidenceRow
from codemod.judging.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

KIT = "Kit"
WRITERS = 50


def attempt(seed: int, folder: Path, most: int = WRITERS) -> str:
    """So many writers, some of which are killed; what is wrong after them."""
    draw = random.Random(seed)
    file = folder / "data" / base.FOLDER / f"{KIT}.jsonl"
    place = Workspace.at(folder / "ws")
    base.write_base(file, [_row("kept")])
    place.make()
    killed = set(draw.sample(range(most), most // 10))
    children = {_started(work_of(number, folder, place)): number for number in range(most)}
    for child, number in children.items():
        if number in killed:
            time.sleep(draw.random() / 100)
            os.kill(child, signal.SIGKILL)
    ended = {number: os.waitpid(child, 0)[1] for child, number in children.items()}
    if any(status for number, status in ended.items() if number not in killed):
        return "a writer failed"
    return _lost(file, place, folder, {number for number, status in ended.items() if not status})


def work_of(number: int, folder: Path, place: Workspace) -> Callable[[], object]:
    """What one writer does: every kind of shared file has its writers."""
    kind = number % 3
    if kind == 0:
        return lambda: base.add_rows(KIT, [_row(f"c{number}")], folder / "data")
    if kind == 1:
        return lambda: keep_proof(place, _proof(number))
    result = Result(KIT, f"c{number}", "3.3.1", {"ast": ModeResult(Verdict.PASS)})
    return lambda: write_result(folder / "ws" / "results" / "one.json", result)


def _lost(file: Path, place: Workspace, folder: Path, whole: set[int]) -> str:
    found = base.read_file(file)
    if found.damaged:
        return "a line cannot be read"
    rows = {row.config for row in found.rows}
    if not {"kept", *(f"c{number}" for number in whole if number % 3 == 0)} <= rows:
        return "rows are lost"
    proofs = {proof.config for proof in PROOFS.read(KIT, place)}
    if not {f"c{number}" for number in whole if number % 3 == 1} <= proofs:
        return "proofs are lost"
    if any(number % 3 == 2 for number in whole):
        read_result(folder / "ws" / "results" / "one.json")
    return ""


def _started(work: Callable[[], object]) -> int:
    child = os.fork()
    if not child:
        code = 1
        try:
            work()
            code = 0
        finally:
            os._exit(code)
    return child


def _row(config: str) -> EvidenceRow:
    return EvidenceRow(KIT, config, "3.3.1", "ast", "probe", Verdict.PASS)


def _proof(number: int) -> FixProof:
    return FixProof(
        kit=KIT,
        config=f"c{number}",
        paddle="3.3.1",
        fixes=("D-1 a.py:1",),
        ground="0",
        dynamic=Dynamic.EQUAL,
        before={},
        after={},
        lines_added=1,
        lines_removed=0,
        steps=2,
    )


if __name__ == "__main__":
    sys.exit(attack(f"{WRITERS} writers of shared files at once", 20, attempt))
