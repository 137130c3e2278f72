"""Writing shared files while calls to the system fail: no row is lost, and what is said is so.

A child adds a row, keeps a proof or writes a result, with one of its calls failing or killing it,
or with the kernel cutting its writes short. The base may be damaged beforehand.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from typing import TYPE_CHECKING

from bench.attack import faults
from bench.attack.table import attack
from bench.attack.writers import KIT, work_of
from codemod.base.errors import EnvironmentFault, FindingsError
from codemod.base.files.workspace import Workspace
from codemod.judging.evidence import base
from codemod.judging.evidence.rows import EvidenceRow
from codemod.judging.verdict import Verdict

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

# More than any of these writers makes; a fault behind the last call is none.
MOST_CALLS = 60
DAMAGE = (b"", b"", b"\xff\xfe\n", b'{"kit":"Ki', b'{"kit":"Kit","more":1}\n', b"\n")


def attempt(seed: int, folder: Path) -> str:
    """One fault, kill or cut write in one kind of writer."""
    draw = random.Random(seed)
    file = folder / "data" / base.FOLDER / f"{KIT}.jsonl"
    number = draw.randrange(3)
    kept = [_row(f"kept{n}") for n in range(draw.randint(1, 20))]
    base.write_base(file, kept)
    place = Workspace.at(folder / "ws")
    place.make()
    for earlier in (number, number + 3):
        work_of(earlier, folder, place)()
    targets = [one for one in folder.rglob("*") if one.name.endswith(("Kit.jsonl", "one.json"))]
    damage = draw.choice(DAMAGE)
    for target in targets:
        target.write_bytes(target.read_bytes() + damage)
    before = {target: target.read_bytes() for target in targets}
    work = work_of(number + 6, folder, place)
    code = faults.in_child(_honest(work), _fault(draw))
    return _judged(code, before, damage)


def _fault(draw: random.Random) -> Callable[[], object]:
    if draw.random() < 0.2:
        size = draw.randint(0, 3000)
        return lambda: faults.cut_writes(size)
    at, error = draw.randint(1, MOST_CALLS), draw.choice((None, *faults.ERRORS))
    return lambda: faults.break_call(at, error)


def _judged(code: int, before: dict[Path, bytes], damage: bytes) -> str:
    if code == -signal.SIGALRM:
        return "it does not end"
    if code == faults.CRASHED:
        return "an exception that is not a CodemodError"
    for file, data in before.items():
        now = file.read_bytes() if file.exists() else b""
        aside = [one.read_bytes() for one in file.parent.glob(f"{file.name}.damaged-*")]
        lost = set(data.removesuffix(damage).splitlines()) - {
            line for one in (now, *aside) for line in one.splitlines()
        }
        if lost and file.suffix == ".jsonl":
            return "lines are lost"
        # An empty line behind a result is none to its reader.
        hurt = damage.strip() if file.suffix == ".json" else damage
        if hurt and now != data and data not in aside:
            return "a damaged file was written over"
        if code == faults.AS_IT_WAS and now != data and data not in aside:
            return "said as it was, and is not"
    return ""


def _honest(work: Callable[[], object]) -> Callable[[], None]:
    """The work, whose message that something is written but not flushed is told apart."""

    def told() -> None:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())
        try:
            work()
        except EnvironmentFault as error:
            if "is written, but" in error.message:
                raise FindingsError(error.message) from error
            raise

    return told


def _row(config: str) -> EvidenceRow:
    return EvidenceRow(KIT, config, "3.3.1", "ast", "probe", Verdict.PASS)


if __name__ == "__main__":
    sys.exit(attack("faults and kills in writers of shared files", 2000, attempt))
