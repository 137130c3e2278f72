"""docs/eleventh-kit.md shows the files of tests/eleventh_kit, and what its commands print."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from bench.architecture import TOP
from codemod.cli.main import run
from codemod.engine.rule_cases import cases_file
from codemod.kits.config_rule import ConfigRule
from codemod.kits.rule import Rule, Trainer
from codemod.training.recipes import Recipe
from tests.parity.conftest import paddle_python
from tests.test_documents import as_pattern

PAGES = [TOP / "docs" / f"eleventh-kit{language}.md" for language in ("", ".zh-CN")]
KIT = TOP / "tests" / "eleventh_kit"
_CONSOLE = re.compile(r"```console\n(.*?)```", re.S)
_FILE = re.compile(r"```\w+\n# ([\w./]+)\n(.*?)```", re.S)
_OTHERS = shutil.ignore_patterns("__pycache__")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_page_shows_every_file_of_the_kit_s_folder(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    files = [file for file in (KIT / "data").rglob("*.*") if file.suffix in (".py", ".yaml")]
    kept = {
        file.relative_to(KIT / "data").as_posix(): file.read_text(encoding="utf-8")
        for file in files
    }
    assert dict(_FILE.findall(text)) == kept
    assert f"```python\n{(KIT / 'kit/train.py').read_text(encoding='utf-8')}```" in text


def test_a_rule_without_cases_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "my-data"
    shutil.copytree(KIT / "data", data, ignore=_OTHERS)
    monkeypatch.setenv("CODEMOD_DATA", str(data))
    cases_file(data / "rules" / "MiniKit" / "rule.yaml").unlink()
    assert run(["rules", "test", "MiniKit"]) == 2
    assert "MiniKit/rule.yaml has no cases. Write some in" in capsys.readouterr().err


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_keys_that_the_page_explains_are_keys_of_those_files(page: Path) -> None:
    tables = re.findall(r"^\| (?:key|键) \|.*\n(?:\|.*\n)+", page.read_text("utf-8"), re.M)
    for table, forms in zip(tables, ((Trainer, Rule), (ConfigRule,), (Recipe,)), strict=True):
        heads = re.findall(r"^\| ([^|]*)\|", table, re.M)
        told = {name for head in heads for name in re.findall(r"`(\w+)`", head)}
        assert told and told <= {field.name for form in forms for field in fields(form)}


def test_rules_without_an_entry_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page writes the rule before the kit is entered."""
    shutil.copytree(KIT / "data" / "rules", tmp_path / "rules", ignore=_OTHERS)
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path))
    assert run(["rules", "test", "MiniKit"]) == 2
    said = capsys.readouterr().err
    assert "`MiniKit` has a folder in rules/ and no entry in " in said
    assert "kits.yaml" in said and "CODEMOD_DATA" in said


@pytest.mark.slow
def test_the_page_prints_what_it_shows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Command by command; a line of dots is a cut. Both languages show the same commands."""
    paddle_python("2.6.2")
    monkeypatch.setenv("CODEMOD_PROGRESS", "never")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.delenv("CODEMOD_DATA", raising=False)
    shutil.copytree(KIT / "kit", tmp_path / "minikit", ignore=_OTHERS)
    (tmp_path / "my-data/rules/MiniKit").mkdir(parents=True)
    first, *rest = _CONSOLE.findall(PAGES[0].read_text(encoding="utf-8"))
    play(first, tmp_path)
    shutil.copytree(KIT / "data", tmp_path / "my-data", ignore=_OTHERS, dirs_exist_ok=True)
    monkeypatch.setenv("CODEMOD_DATA", "my-data")
    for block in rest:
        play(block, tmp_path)


def play(block: str, folder: Path) -> None:
    """Run the commands of a block, each of which must print its lines."""
    for part in block.removeprefix("$ ").split("\n$ "):
        command, *lines = part.rstrip().splitlines()
        done = subprocess.run(
            ["bash", "-c", command],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert not lines or re.fullmatch(as_pattern(lines), done.stdout), (command, done.stdout)
