"""Links in the current folder while files are written where the user asks: nothing outside changes.

Folders and files of the place are links to a folder outside from the start, or another process
swaps them while the writing goes on.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
import time
from pathlib import Path

from bench.attack.faults import LIMIT, in_child
from bench.attack.table import attack
from codemod.base.errors import CodemodError
from codemod.base.files.atomic import new_below
from codemod.base.files.shared_file import export, new_log, remove, replace_file


def attempt(seed: int, folder: Path) -> str:
    """Some files written below one folder of links."""
    draw = random.Random(seed)
    here, outside = folder / "here", folder / "outside"
    names = [f"a/b/f{number}" for number in range(draw.choice((1, 4, 20)))]
    (here / "a" / "b").mkdir(parents=True)
    (outside / "b").mkdir(parents=True)
    for place in (outside, outside / "b"):
        for name in names:
            (place / Path(name).name).write_bytes(b"kept")
    before = _seen(outside)
    racer = 0
    if draw.random() < 0.4:
        _planted(here, outside, names, draw)
    else:
        racer = _racer(here, outside, draw)

    def work() -> None:
        os.chdir(here)
        for name in names * 5:
            with contextlib.suppress(CodemodError, OSError):
                _write(Path(name), here, draw)

    code = in_child(work, lambda: None)
    if racer:
        os.kill(racer, signal.SIGKILL)
        os.waitpid(racer, 0)
    if code == -signal.SIGALRM:
        return "it does not end"
    if code:
        return "an exception that is not an error of the system's"
    return "" if _seen(outside) == before else "files outside were changed"


def _write(file: Path, here: Path, draw: random.Random) -> None:
    how = draw.randrange(5)
    if how == 0:
        export(file, b"new")
    elif how == 1:
        replace_file(here / file, b"new")
    elif how == 2:
        new_log(file).close()
    elif how == 3:
        remove(file)
    else:
        new_below(here, str(file), b"new")


def _planted(here: Path, outside: Path, names: list[str], draw: random.Random) -> None:
    how = draw.randrange(3)
    if how == 0:
        (here / "a" / "b").rmdir()
        (here / "a" / "b").symlink_to(outside)
    elif how == 1:
        (here / "a" / "b").rmdir()
        (here / "a").rmdir()
        (here / "a").symlink_to(outside)
    else:
        for name in names:
            (here / name).symlink_to(outside / Path(name).name)


def _racer(here: Path, outside: Path, draw: random.Random) -> int:
    """Another process, which swaps a folder for a link and back all the time."""
    pause, deep = draw.random() * 0.0005, draw.random() < 0.5
    child = os.fork()
    if child:
        return child
    signal.alarm(LIMIT)
    folder = here / "a" / "b" if deep else here / "a"
    aside = here / "aside"
    while True:
        with contextlib.suppress(OSError):
            folder.rename(aside)
            folder.symlink_to(outside)
            time.sleep(pause)
            folder.unlink()
            aside.rename(folder)
            time.sleep(pause)


def _seen(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


if __name__ == "__main__":
    sys.exit(attack("links below the current folder while files are exported", 500, attempt))
