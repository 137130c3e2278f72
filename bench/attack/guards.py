"""Guards of SECURITY.md, each taken out of a copy of the tool: a test must see that it is gone."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

TOP = Path(__file__).parent.parent.parent


@dataclass(frozen=True, slots=True)
class Edit:
    """A text in a file below `codemod/`, and what stands there without a guard."""

    file: str
    text: str
    without: str


@dataclass(frozen=True, slots=True)
class Guard:
    """A guard: what it is, how the row of SECURITY.md begins that it keeps, what takes it out."""

    what: str
    row: str
    edits: tuple[Edit, ...]
    test: str


def _guard(
    what: str, row: str, test: str, also: Iterable[dict[str, str]] = (), **edit: str
) -> Guard:
    return Guard(what, row, tuple(Edit(**one) for one in (edit, *also)), test)


GUARDS = tuple(
    _guard(**one) for one in yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text("utf-8"))
)
_PASSED, _FAILED = 0, 1
_PROMISED = re.compile(r"It promises:\n\n(.*?)\n\n", re.DOTALL)
_HELD = ("no", "loopback", "where it is not below `/run`")


def claims(page: str) -> tuple[str, ...]:
    """What SECURITY.md says is kept: promises, what a box holds back, attacks guarded against."""
    promised = _PROMISED.search(page)
    found = [" ".join(one.split()) for one in (promised[1] if promised else "").split("\n- ")]
    _, _, boxes = page.partition("## What a kit's code can do")
    rows = _cells(boxes.partition("\n## ")[0])
    found += [row[0] for row in rows if any(cell.startswith(_HELD) for cell in row[1:3])]
    _, _, attacks = page.partition("## What it guards against")
    found += [row[0] for row in _cells(attacks.partition("\n## ")[0])]
    return tuple(one.removeprefix("- ") for one in found)


def _cells(text: str) -> list[list[str]]:
    """The rows of a text's tables, without their heads."""
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    return [row for row in rows if row[0] not in ("what", "attack")]


@contextmanager
def copied() -> Iterator[Path]:
    """A copy of the tool with its tests, in which guards are taken out."""
    with tempfile.TemporaryDirectory(prefix="codemod-guard-") as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(TOP, copy, ignore=shutil.ignore_patterns(".*", "__pycache__"))
        yield copy


def seen(guard: Guard, copy: Path) -> bool:
    """Whether the guard's test, which passes in the copy as it is, fails without the guard."""
    if _ended(guard.test, copy) != _PASSED:
        raise ValueError(f"{guard.test} does not pass with the guard either")
    files = {copy / "codemod" / edit.file for edit in guard.edits}
    before = {file: file.read_text(encoding="utf-8") for file in files}
    for edit in guard.edits:
        file = copy / "codemod" / edit.file
        text = file.read_text(encoding="utf-8")
        if edit.text not in text:
            raise ValueError(f"{edit.file} holds no {edit.text!r}")
        file.write_text(text.replace(edit.text, edit.without), encoding="utf-8")
    try:
        return _ended.__wrapped__(guard.test, copy) == _FAILED
    finally:
        for file, text in before.items():
            file.write_text(text, encoding="utf-8")


@cache
def _ended(test: str, copy: Path) -> int:
    """The exit code of a test in the copy."""
    # Folders of its own: other runs of pytest clear the usual ones away.
    own = ["-q", "-x", "-rf", "-n", "0", f"--basetemp={copy.parent / 'temporary'}"]
    command = [sys.executable, "-m", "pytest", *own, f"tests/{test}"]
    # No byte code: of two texts written within a second the older would run.
    env = {**os.environ, "PYTHONPATH": str(copy), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(command, cwd=copy, env=env, capture_output=True, check=False).returncode


def main() -> int:
    """Print a row for each guard, or those named; the exit code is 1 where a loss is not seen."""
    print("| guard | its loss is seen |\n|---|---|")
    missed = 0
    with copied() as copy:
        for guard in GUARDS:
            if sys.argv[1:] and guard.what not in sys.argv[1:]:
                continue
            found = seen(guard, copy)
            missed += not found
            print(f"| {guard.what} | {'yes' if found else 'NO'} |", flush=True)
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
