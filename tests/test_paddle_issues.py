"""The programs in docs/paddle-issues do on each Paddle what their page says."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

from bench.paddle_issues import (
    BLOCK,
    CHINESE_PAGE,
    PAGE,
    hazard_table,
    in_chinese,
    looked_for,
    main,
    since,
    with_rows,
)
from codemod.experiments.reduce.known import known_causes
from codemod.hazards.catalog import TEXTS
from codemod.kits.paddles import paddles
from tests.parity.conftest import PADDLES, paddle_python

FOLDER = Path(__file__).parents[1] / "docs" / "paddle-issues"
ROW = re.compile(r"^\| (?:\[)?(\w+\.py)(?:\]\(\w+\.py\))? \| ([^|]+) \| ([^|]+) \|", re.MULTILINE)
MADE = re.compile("<!-- (?:releases|hazards) -->.*?<!-- end -->", re.DOTALL)
REPORTS = sorted(file.stem for file in (FOLDER / "reports").glob("*.md") if "." not in file.stem)
PROGRAMS = sorted(file.name for file in FOLDER.glob("*.py"))


def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def said(program: str, version: str) -> tuple[str, str]:
    """What the page says of a program on one Paddle: whether it differs, what it prints."""
    english = MADE.sub("", page())
    column = 2 + PADDLES.index(version)
    verdict, printed = (m.group(column) for m in ROW.finditer(english) if m.group(1) == program)
    return verdict, printed.strip("`")


def tables(text: str) -> list[list[list[str]]]:
    """The rows of each table of a page, without its head."""
    found = re.findall(r"^\|.*\n\|---.*\n((?:\|.*\n)+)", text, re.MULTILINE)
    return [
        [[cell.strip() for cell in row.strip("|").split("|")] for row in table.splitlines()]
        for table in found
    ]


@pytest.mark.parametrize("page", [PAGE, CHINESE_PAGE], ids=lambda page: page.name)
def test_every_table_names_every_program(page: Path) -> None:
    whole = tables(page.read_text(encoding="utf-8"))
    assert len(whole) == 5
    for table in whole:
        assert sorted(row[0].rpartition("(")[2].rstrip(")") for row in table) == PROGRAMS


def test_the_page_says_what_each_program_says() -> None:
    for program, told in tables(page())[1]:
        says = ast.get_docstring(ast.parse((FOLDER / program).read_text(encoding="utf-8"))) or ""
        assert told == " ".join(says.partition("\n\n")[0].split())


def test_the_figures_are_the_same_in_chinese() -> None:
    english, chinese = (tables(file.read_text(encoding="utf-8")) for file in (PAGE, CHINESE_PAGE))
    verdicts = {"differs": "不同", "equal": "相同"}
    for row, other in zip(english[0], chinese[0], strict=True):
        assert [row[0], *(verdicts[cell] for cell in row[1:3])] == other[:3]
    assert english[2] == chinese[2]
    blocks = [BLOCK.search(file.read_text(encoding="utf-8")) for file in (PAGE, CHINESE_PAGE)]
    made = [block[0] for block in blocks if block]
    assert in_chinese(made[0]) == made[1]


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
    fails = tuple(version for version, verdict in shown.items() if verdict == "differs")
    of_row = [one.releases for one in known_causes() if f"{one.program}.py" == program]
    assert all((releases or tuple(shown)) == fails for releases in of_row)
    assert {version: shown[version] for version in PADDLES} == {
        version: said(program, version)[0] for version in PADDLES
    }


@pytest.mark.parametrize(("page", "chinese"), [(PAGE, False), (CHINESE_PAGE, True)])
def test_what_looks_for_each_program_is_as_the_list_says(page: Path, chinese: bool) -> None:
    assert f"<!-- hazards -->\n{hazard_table(chinese)}<!-- end -->\n" in page.read_text("utf-8")


def test_each_program_has_a_hazard_or_says_why_not() -> None:
    found = looked_for()
    assert [f"{one.program}.py" for one in found] == PROGRAMS
    for one in found:
        assert sum(map(bool, (one.hazard, one.beside, one.proposed))) == 1
        assert all(len(texts) in (0, 2) for texts in (one.beside, one.proposed))
        assert all(id_ in TEXTS for id_ in one.hazard.split(", ") if id_)


def test_since_when_in_words() -> None:
    assert since({"1": "differs", "2": "differs"}) == "all"
    assert since({"1": "equal", "2": "differs", "3": "differs"}) == "from 2"
    assert since({"1": "differs", "2": "equal", "3": "differs"}) == "until 1, from 3"


def test_a_row_that_is_run_again_leaves_the_others_on_the_page() -> None:
    page = "<!-- releases -->\n| program | 1 |\n|---|---|\n| a.py | equal |\n| c.py | equal |\n<!-- end -->\n"
    made = "| program | 1 |\n|---|---|\n| b.py | differs |\n| c.py | differs |\n"
    rows = with_rows(page, made).splitlines()[2:]
    assert rows == ["| a.py | equal |", "| b.py | differs |", "| c.py | differs |"]


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


def report(name: str) -> str:
    return (FOLDER / "reports" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REPORTS)
def test_a_report_is_of_a_program_on_file_and_linked(name: str) -> None:
    assert f"{name}.py" in PROGRAMS
    blocks = [re.findall("```.*?```", report(file), re.DOTALL) for file in both(name)]
    assert blocks[0] == blocks[1]
    for page, file in zip((PAGE, CHINESE_PAGE), both(name), strict=True):
        assert f"](reports/{file})" in page.read_text(encoding="utf-8")


def both(name: str) -> tuple[str, str]:
    return f"{name}.md", f"{name}.zh-CN.md"


@pytest.mark.slow
@pytest.mark.parametrize("version", PADDLES)
@pytest.mark.parametrize("name", REPORTS)
def test_a_report_prints_what_it_says(name: str, version: str, tmp_path: Path) -> None:
    text = report(f"{name}.md")
    program = tmp_path / "program.py"
    program.write_text(re.findall("```python\n(.*?)```", text, re.DOTALL)[0])
    done = subprocess.run(
        [str(paddle_python(version)), str(program)], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip().splitlines()[-1] in text.splitlines(), done.stderr
    same = f"| {version} | as in dynamic mode | as in dynamic mode |" in text
    assert done.returncode == (0 if same else 1)


def test_a_column_alone_does_not_take_the_place_of_the_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = PAGE.read_bytes()
    newest = paddles().releases[-1].version
    monkeypatch.setattr(sys, "argv", ["paddle_issues", "--paddle", newest, "--write"])
    with pytest.raises(SystemExit):
        main()
    assert "leave --paddle out" in capsys.readouterr().err
    assert PAGE.read_bytes() == before
