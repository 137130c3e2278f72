"""Calls to the system that fail while any command runs: it says so, and calls none a bug.

A child runs a command in which one call fails, as calls of a broken disk, of missing rights or of a
full disk do; or whose output is full or closed.
"""

from __future__ import annotations

import contextlib
import os
import random
import signal
import sys
from typing import TYPE_CHECKING

from bench.attack import faults
from bench.attack.table import TRAIN, attack
from codemod.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CALLS = (*faults.CALLS, "lstat", "scandir", "listdir", "readlink", "walk", "chmod", "pipe", "fork")
KIT = ("PaddleSeg", "--path", "kit")
WORDS: tuple[tuple[str, ...], ...] = (
    ("kits",),
    ("diff", "kit"),
    ("diff", "kit", "-o", "out/a.patch"),
    ("apply", "kit"),
    ("apply", "kit", "--dry-run", "--json"),
    ("revert", "kit"),
    ("check", *KIT),
    ("check", "kit", "--comment", "out/comment.md"),
    ("survey", *KIT, "-o", "out/survey.md"),
    ("fix", *KIT),
    ("rules", "list"),
    ("report",),
    ("explain", "D-10"),
    ("doctor",),
    ("schema", "apply"),
    ("evidence", "list"),
    ("evidence", "add", "--workspace", "ws", "--to", "data"),
    ("evidence", "verify"),
    ("env", "PaddleSeg", "--dockerfile"),
    ("branch", "kit"),
    ("rules", "scaffold", "kit"),
    ("probe", *KIT, "--summary"),
    ("apply", "kit", "--rehearse"),
)
# Beyond what most commands make of them; a fault behind the last call is none.
MOST_CALLS = 300
VARIABLES = ("GIT_CONFIG_COUNT", "SUDO_UID", "COLUMNS", "XDG_STATE_HOME", "XDG_DATA_HOME", "LC_ALL")
VALUES = ("", "abc", "-1", "9" * 50, "\udcff", "/dev/null", "/proc/1/x", "a" * 5000)


def attempt(seed: int, folder: Path) -> str:
    """One command with one fault."""
    draw = random.Random(seed)
    (folder / "kit" / "configs").mkdir(parents=True)
    (folder / "kit" / "train.py").write_bytes(TRAIN)
    (folder / "kit" / "configs" / "a.yml").write_text("model: {type: A}\n")
    words = draw.choice(WORDS)
    out, log = folder / "stdout", folder / "stderr"
    breaks = _fault(draw)

    def work() -> None:
        os.chdir(folder)
        os.environ["CODEMOD_MIRROR"] = str(folder / "no-such-mirror")
        code = 0
        try:
            breaks()
            main(words)
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 1
        except BaseException as error:
            with contextlib.suppress(OSError):
                os.write(2, f"Traceback: {type(error).__name__}: {error}\n".encode())
        os._exit(code)

    full = draw.random() < 0.1
    code = _child(work, "/dev/full" if full else str(out), str(log))
    said = log.read_text(errors="replace")
    what = f"{words[0]} ends with {code}"
    if code == -signal.SIGALRM:
        return f"{words[0]} does not end"
    if "Traceback" in said or "bug in codemod" in said:
        return f"{what} and a bug: {said.splitlines()[-1][:150]}"
    # A closed pipe ends it as the shell expects.
    if code not in (0, 1, 2, 3, 141):
        return what
    if code in (2, 3) and "Error: " not in said:
        return f"{what} without a word"
    return ""


def _fault(draw: random.Random) -> Callable[[], object]:
    if draw.random() < 0.2:
        name, value = draw.choice(VARIABLES), draw.choice(VALUES)
        return lambda: os.environ.__setitem__(name, value)
    at, number = draw.randint(1, MOST_CALLS), draw.choice(faults.ERRORS)
    # Most calls are of a few kinds: each kind gets its turn.
    calls = CALLS if draw.random() < 0.5 else (draw.choice(CALLS),)

    return lambda: faults.break_call(at if len(calls) > 1 else 1 + at % 30, number, calls)


def _child(work: Callable[[], None], out: str, log: str) -> int:
    """The exit code of a child whose outputs are those files."""
    child = os.fork()
    if not child:
        signal.alarm(faults.LIMIT)
        for fd, name in ((1, out), (2, log)):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT, 0o600), fd)
        sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        work()
    _, status = os.waitpid(child, 0)
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(attack("refused calls and odd variables in any command", 500, attempt))
