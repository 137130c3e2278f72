"""Configs of the kits, measured one after another until a time is over.

What was measured is kept line by line in a journal, so that a queue that was stopped goes on where
it was. The kits are those of a workspace; `codemod apply` puts their hooks into copies of them.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from codemod.base.changeset import Source
from codemod.engine import plan_change
from codemod.kits.paddles import measured

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

PADDLES = tuple(reversed(measured()))
# A trainer of those that are queued takes minutes at most.
LIMIT_S = 900
# Seconds in which a stopped run keeps what it has.
_GRACE_S = 60

Request = TypeVar("Request")


def options(doc: str | None) -> argparse.ArgumentParser:
    """The options that every queue has: where the kits lie, for how long, and which of them."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument(
        "--workspace", type=Path, default=Path(".codemod"), help="it holds the kits"
    )
    parser.add_argument("--for", type=float, dest="minutes", default=60 * 24, metavar="MINUTES")
    parser.add_argument("--paddle", action="append", choices=PADDLES, help="only this version")
    parser.add_argument("--kit", action="append", help="only this kit")
    return parser


def chosen(asked: argparse.Namespace, kit: str, paddle: str) -> bool:
    """Whether the options `--kit` and `--paddle` leave it in."""
    return kit in (asked.kit or [kit]) and paddle in (asked.paddle or PADDLES)


@dataclass(frozen=True, slots=True)
class Journal:
    """A file of JSON objects, one a line."""

    file: Path

    def lines(self) -> Iterator[dict[str, Any]]:
        """What was noted up to now."""
        if self.file.exists():
            yield from map(json.loads, self.file.read_text(encoding="utf-8").splitlines())

    def note(self, line: dict[str, Any]) -> None:
        """Add a line."""
        with self.file.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")


@dataclass(slots=True)
class Kits:
    """The kits of a workspace with today's hooks, and `codemod` on them until `end`.

    `end` is a moment of `time.monotonic`.
    """

    workspace: Path
    end: float
    _hooked: dict[str, Path] = field(default_factory=dict)

    @classmethod
    def of(cls, asked: argparse.Namespace) -> Kits:
        """Those that the options name, from now on."""
        return cls(asked.workspace.absolute(), time.monotonic() + 60 * asked.minutes)

    @property
    def over(self) -> bool:
        """Whether the time is over."""
        return time.monotonic() >= self.end

    def take(self, kit: str, checkout: Path) -> None:
        """Take a checkout that has its hooks already."""
        self._hooked[kit] = checkout

    def hooked(self, kit: str) -> Path:
        """A copy of the workspace's checkout of a kit, with the hooks that `apply` writes today.

        Another queue may train from it: a copy that is as it would be made stays as it is.
        """
        if kit not in self._hooked:
            origin, copy = self.workspace / "kits" / kit, self.workspace / "hooked" / kit
            if not origin.exists():
                where = f"--workspace {self.workspace}"
                sys.exit(f"no checkout of {kit} yet: codemod apply {kit} --dry-run {where}")
            changes = plan_change(Source(kit, origin, None)).change_set().changes
            wanted = _code(origin) | {change.path: change.new for change in changes}
            if not copy.exists() or _code(copy) != wanted:
                shutil.rmtree(copy, ignore_errors=True)
                shutil.copytree(origin, copy, symlinks=True)
                said = self.codemod("apply", kit, "--path", str(copy))
                if said.returncode > 1:
                    sys.exit(f"{kit} takes no hooks: {said.stderr.strip()}")
            self.take(kit, copy)
        return self._hooked[kit]

    def parity(
        self, place: tuple[str, str, str], steps: int, limit_s: int, *more: str
    ) -> subprocess.CompletedProcess[str]:
        """`codemod parity` of a kit's config on a Paddle, on the CPU."""
        kit, config, paddle = place
        words = ["parity", kit, "-c", config, "--paddle", paddle, "--device", "cpu", *more]
        words += ["--path", str(self.hooked(kit)), "--steps", str(steps), "--limit", str(limit_s)]
        return self.codemod(*words)

    def codemod(self, *words: str) -> subprocess.CompletedProcess[str]:
        """One command, ended when the time is over; its finished runs are kept."""
        argv = [sys.executable, "-m", "codemod", *words, "--workspace", str(self.workspace)]
        pipe = subprocess.PIPE
        process = subprocess.Popen(argv, stdout=pipe, stderr=pipe, text=True)
        try:
            out, err = process.communicate(timeout=max(1.0, self.end - time.monotonic()))
        except subprocess.TimeoutExpired:
            # Not as by Ctrl-C: what a shell starts in the background does not hear that.
            process.terminate()
            out, err = process.communicate(timeout=_GRACE_S)
        return subprocess.CompletedProcess(argv, process.returncode, out, err)

    def run(self, waiting: Sequence[Request], measure: Callable[[Request], str | None]) -> None:
        """Measure one after another, each told on a line, until the time is over.

        `measure` gives the line, or None where it was stopped in between.
        """
        for number, one in enumerate(waiting, 1):
            told = None if self.over else measure(one)
            if told is None:
                print(f"time is over, {len(waiting) - number + 1} are left", flush=True)
                break
            now = time.strftime("%H:%M:%S")
            print(f"{now} {number} of {len(waiting)}: {told}", flush=True)


def told(said: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """The JSON that a command printed, or its last words as `error`."""
    try:
        found: dict[str, Any] = json.loads(said.stdout)
    except ValueError:
        last = said.stderr.strip().splitlines()[-1:]
        return {"error": last[0] if last else str(said.returncode)}
    return found


def _code(tree: Path) -> dict[str, bytes]:
    """Its Python files and configs, which are what a training reads of it."""
    files = (path for ending in ("py", "y*ml") for path in tree.rglob(f"*.{ending}"))
    return {
        path.relative_to(tree).as_posix(): path.read_bytes() for path in files if path.is_file()
    }
