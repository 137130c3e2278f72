"""The programs in docs/paddle-issues do on each Paddle what their page says."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from bench.paddle_issues import BLOCK, since
from tests.parity.conftest import PADDLES, paddle_python

FOLDER = Path(__file__).parents[1] / "docs" / "paddle-issues"
ROW = re.compile(r"^\| (?:\[)?(\w+\.py)(?:\]\(\w+\.py\))? \| ([^|]+) \| ([^|]+) \|", re.MULTILINE)
PROGRAMS = sorted(file.name for file in FOLDER.glob("*.py"))


def page() -> str:
    return (FOLDER / "README.md").read_text(encoding="utf-8")


def said(program: str, version: str) -> tuple[str, str]:
    """What the page says of a program on one Paddle: whether it differs, what it prints."""
    english = BLOCK.sub("", page()).partition("## 中文")[0]
    column = 2 + PADDLES.index(version)
    verdict, printed = (m.group(column) for m in ROW.finditer(english) if m.group(1) == program)
    return verdict, printed


def test_the_page_names_every_program() -> None:
    whole = BLOCK.sub("", page())
    english, _, chinese = whole.partition("## 中文")
    named = [match.group(1) for match in ROW.finditer(english)]
    assert sorted(named) == sorted(PROGRAMS * 2)
    assert sorted(re.findall(r"^\| (\w+\.py) \|", chinese, re.MULTILINE)) == PROGRAMS


@pytest.mark.parametrize("program", PROGRAMS)
def test_the_releases_agree_with_what_was_run_on_the_two_paddles(program: str) -> None:
    found = BLOCK.search(page())
    assert found is not None
    head, _, *rows = [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in found[0].splitlines()[1:-1]
    ]
    row = next(row for row in rows if row[0] == program)
    shown = dict(zip(head[1:-1], row[1:-1], strict=True))
    assert row[-1] == since(shown)
    assert {version: shown[version] for version in PADDLES} == {
        version: said(program, version)[0] for version in PADDLES
    }


def test_since_when_in_words() -> None:
    assert since({"1": "differs", "2": "differs"}) == "all"
    assert since({"1": "equal", "2": "differs", "3": "differs"}) == "from 2"
    assert since({"1": "differs", "2": "equal", "3": "differs"}) == "until 1, from 3"


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
