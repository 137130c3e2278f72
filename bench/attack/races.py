"""Link races: another process puts a link where a folder of the tree was, while files are written.

The link leads to a folder outside with files of the same names and bytes. Whatever the command then
says, nothing outside may change. Half of the attempts revert instead of applying.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from typing import TYPE_CHECKING

from bench.attack.faults import HOOKED, LIMIT, LINES, in_child
from bench.attack.table import attack
from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange, Source
from codemod.base.files.state import JOURNAL, state_of
from codemod.base.patch.apply import apply_changes, revert

if TYPE_CHECKING:
    from pathlib import Path


def attempt(seed: int, folder: Path) -> str:
    """One race, with as many files and as late a swap as the seed says."""
    draw = random.Random(seed)
    files, backwards = draw.choice((1, 5, 40)), draw.random() < 0.5
    root, outside = folder / "kit", folder / "outside"
    names = [f"package/f{number}.py" for number in range(files)]
    for place in (root / "package", outside):
        place.mkdir(parents=True)
        for name in names:
            (place / name.partition("/")[2]).write_bytes(LINES)
    change = ChangeSet(
        Source(None, root, None),
        edits=tuple(Edit(name, EditKind.HOOK, 1, hooks=(0,)) for name in names),
        changes=tuple(FileChange(name, LINES, HOOKED) for name in names),
    )
    if backwards:
        apply_changes(change, allow_dirty=True)
        for file in outside.iterdir():
            file.write_bytes(HOOKED)
    before = _seen(outside)
    racer = _racer(root, outside, draw.random() * 0.004, often=draw.random() < 0.3)

    def work() -> None:
        revert(change.source) if backwards else apply_changes(change, allow_dirty=True)

    code = in_child(work, lambda: None)
    os.kill(racer, signal.SIGKILL)
    os.waitpid(racer, 0)
    if code == -signal.SIGALRM:
        return "it does not end"
    return "" if _seen(outside) == before else "files outside the tree were changed"


def _seen(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def _racer(root: Path, outside: Path, late: float, *, often: bool) -> int:
    """The other process: it swaps once the journal appears, or all the time."""
    child = os.fork()
    if child:
        return child
    signal.alarm(LIMIT)
    journal = state_of(root) / JOURNAL
    until = time.monotonic() + 1
    while not often and not os.path.lexists(journal) and time.monotonic() < until:
        pass
    time.sleep(late)
    folder, aside = root / "package", root / ".aside"
    while True:
        try:
            folder.rename(aside)
            folder.symlink_to(outside)
            if not often:
                break
            time.sleep(late / 10)
            folder.unlink()
            aside.rename(folder)
        except OSError:
            continue
    signal.pause()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(attack("link races of apply and revert", 1000, attempt))
