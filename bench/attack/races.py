"""Link races: a link stands where a folder of the tree was, from one call to the system on.

The link leads to a folder outside with files of the same names and bytes. Whatever the command then
says, nothing outside may change. Half of the attempts revert instead of applying. The folder is
swapped right before a call that the seed names, as another process would that hits this moment: a
race that depends on no clock.
"""

from __future__ import annotations

import os
import random
import signal
import sys
from typing import TYPE_CHECKING

from bench.attack import faults
from bench.attack.faults import HOOKED, LINES
from bench.attack.table import attack
from codemod.base.changeset import ChangeSet, Edit, EditKind, FileChange, Source
from codemod.base.patch.apply import apply_changes

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def attempt(seed: int, folder: Path) -> str:
    """One race, with as many files and at the call that the seed says."""
    draw = random.Random(seed)
    files, backwards = draw.choice((1, 5, 40)), draw.random() < 0.5
    at = draw.randint(1, faults.calls_made(files, folder))
    back = at + draw.randint(1, 5) if draw.random() < 0.3 else 0
    return raced(folder, files, at, back, backwards=backwards)


def raced(folder: Path, files: int, at: int, back: int = 0, *, backwards: bool) -> str:
    """One race: the link comes before the call `at`, and goes before the call `back`, if any."""
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
    swaps = _swapped(root, outside, at, back)
    code = faults.in_child(faults.work_of(change, backwards=backwards), swaps)
    if code == -signal.SIGALRM:
        return "it does not end"
    return "" if _seen(outside) == before else "files outside the tree were changed"


def _seen(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def _swapped(root: Path, outside: Path, at: int, back: int) -> Callable[[], object]:
    """What swaps the folder in the child, with calls of its own that are not watched."""
    folder, aside = root / "package", root / ".aside"
    rename, unlink = os.rename, os.unlink

    def before(made: int, _: object) -> None:
        if made == at:
            rename(folder, aside)
            folder.symlink_to(outside)
        elif made == back:
            unlink(folder)
            rename(aside, folder)

    return lambda: faults.before_calls(before)


if __name__ == "__main__":
    sys.exit(attack("link races of apply and revert", 1000, attempt))
