"""What SECURITY.md states as a fact is so, in both languages."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
import yaml

from bench.attack.report import CHINESE_PAGE, NAMES, PAGE
from codemod.training import runner

if TYPE_CHECKING:
    from pathlib import Path

TOP = PAGE.parent
WORK, COMMANDS = TOP / "codemod" / "work", TOP / "codemod" / "cli" / "commands"
PAGES = [PAGE, CHINESE_PAGE]


def read(page: Path) -> str:
    """A page with its lines joined."""
    return " ".join(page.read_text(encoding="utf-8").split())


def commands(text: str) -> list[str]:
    """What stands in backticks, but for paths and names of variables."""
    return [one for one in re.findall(r"`([^`]+)`", text) if re.fullmatch(r"[a-z]+( -.*)?", one)]


def telling() -> dict[str, str]:
    """The commands that run a kit's code, each with whether it contains it: they say so first.

    Themselves, or in the use case that they ask for.
    """
    told: dict[Path, str] = {}
    for folder in (WORK, COMMANDS):
        for file in folder.glob("*.py"):
            text = file.read_text(encoding="utf-8")
            asked = re.findall(r"from codemod\.work\.(\w+) import", text)
            inside = [told[WORK / f"{name}.py"] for name in asked if WORK / f"{name}.py" in told]
            if says := re.findall(r"\btell\(contained=(.*)\)\n", text) or inside:
                told[file] = says[0]
    return {file.stem.partition("_")[0]: how for file, how in told.items() if file.parent != WORK}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_promise_names_every_command_that_runs_a_kit_s_code(page: Path) -> None:
    text = read(page)
    promised = re.search(r"- A kit's code is run by (.*?) alone|- 只有(.*?)会运行套件的代码", text)
    assert promised is not None
    assert {one.split()[0] for one in commands(promised[0])} == set(telling())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_says_which_commands_contain_it(page: Path) -> None:
    text = read(page)
    said = re.search(
        r"(`probe`[^;；]*)(?: contain it|隔离在沙箱中)[^;；]*[;；](.*?)(?:do not|不隔离)", text
    )
    assert said is not None
    boxed, open_ = ({one.split()[0] for one in commands(said[n])} for n in (1, 2))
    by = telling()
    assert boxed == {name for name, how in by.items() if how != "False"}
    assert open_ == {name for name, how in by.items() if how != "True"}
    # The table's last column is theirs: the commands that are never contained.
    column = re.findall(r"\| ([^|]*`parity`[^|]*) \|", text)[0]
    open_always = {one for one in commands(said[2]) if by[one.split()[0]] == "False"}
    assert set(commands(column)) == open_always


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_limits_are_those_of_the_launcher(page: Path) -> None:
    text = read(page)
    assert f"{runner._SHARE:.0%}".replace("%", " %") in text
    assert re.search(rf"\b{runner._PROCESSES:,} (processes|个进程)", text)
    assert f"{runner._FILE_MB // 1024} GB" in text
    assert f"{runner._LOG_MB} MB" in text


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_load_of_all_kits_is_what_was_measured_last(page: Path) -> None:
    on_file = yaml.safe_load((TOP / "bench" / "speed.yaml").read_text(encoding="utf-8"))
    for command in ("check", "survey"):
        (said,) = re.findall(rf"`{command} --all`\D*(\d+) MB", read(page))
        assert int(said) == on_file[f"{command} of 10 kits, MB"]


def test_a_share_of_each_attack_but_one_is_a_test() -> None:
    tests = "\n".join(file.read_text(encoding="utf-8") for file in (TOP / "tests").rglob("*.py"))
    imported = re.findall(r"^ *from bench\.attack import (.*)$", tests, re.MULTILINE)
    inside = {name for line in imported for name in re.findall(r"\w+", line)}
    inside |= set(re.findall(r"from bench\.attack\.(\w+) import", tests))
    assert set(NAMES) - inside - set(re.findall(r'^    "(\w+)": \(\d+, ', tests, re.M)) == {
        "killed_env"
    }


def test_known_holes_are_looked_for_in_the_workflow() -> None:
    assert "pip-audit" in read(PAGE) and "pip-audit" in read(CHINESE_PAGE)
    assert "pip_audit" in (TOP / ".github" / "workflows" / "audit.yml").read_text("utf-8")
