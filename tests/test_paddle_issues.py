"""The programs in docs/paddle-issues do on each Paddle what their page says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tests.parity.conftest import PADDLES, paddle_python

FOLDER = Path(__file__).parents[1] / "docs" / "paddle-issues"
ROW = re.compile(r"^\| (?:\[)?(\w+\.py)(?:\]\(\w+\.py\))? \| ([^|]+) \| ([^|]+) \|", re.MULTILINE)
PROGRAMS = sorted(file.name for file in FOLDER.glob("*.py"))


def said(program: str, version: str) -> tuple[str, str]:
    """What the page says of a program on one Paddle: whether it differs, what it prints."""
    english = (FOLDER / "README.md").read_text(encoding="utf-8").partition("## 中文")[0]
    column = 2 + PADDLES.index(version)
    verdict, printed = (m.group(column) for m in ROW.finditer(english) if m.group(1) == program)
    return verdict, printed


def test_the_page_names_every_program() -> None:
    whole = (FOLDER / "README.md").read_text(encoding="utf-8")
    english, _, chinese = whole.partition("## 中文")
    named = [match.group(1) for match in ROW.finditer(english)]
    assert sorted(named) == sorted(PROGRAMS * 2)
    assert sorted(re.findall(r"^\| (\w+\.py) \|", chinese, re.MULTILINE)) == PROGRAMS


@pytest.mark.slow
@pytest.mark.parametrize("version", PADDLES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_the_fault_shows_as_the_page_says(program: str, version: str) -> None:
    verdict, printed = said(program, version)
    done = subprocess.run(
        [str(paddle_python(version)), str(FOLDER / program)],
        capture_output=True,
        text=True,
        check=False,
    )
    line = done.stdout.strip().splitlines()[-1]
    assert line == f"Paddle {version}: {printed}", done.stderr
    assert done.returncode == {"differs": 1, "equal": 0}[verdict]
