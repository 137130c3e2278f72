"""The files that docs/eleventh-kit.md shows are files that the tool reads."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from bench.architecture import TOP
from codemod.base.files.workspace import Workspace
from codemod.cli.main import run
from codemod.engine.rule_cases import cases_file
from codemod.kits.catalogue import find_kit
from codemod.kits.config_rule import config_rule
from codemod.kits.rulebook import rule_for
from codemod.kits.sources.fetch import fetched
from codemod.reports.survey.families import catalogue
from codemod.training.recipes import read_recipe
from tests.test_documents import as_pattern

PAGE = TOP / "docs" / "eleventh-kit.md"
CONFIG = "tasks/ssl/simsiam/configs/simsiam_resnet50_lp_in1k_1n8c_dp_fp32.yaml"
MIRROR = os.environ.get("CODEMOD_MIRROR", "")
MIRRORED = any((Path(MIRROR) / name).exists() for name in ("PASSL", "PaddlePaddle+PASSL"))
_CONSOLE = re.compile(r"```console\n(.*?)```", re.S)
_FILE = re.compile(r"```\w+\n# ([\w./]+)\n(.*?)```", re.S)


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The page's files in a folder of their own."""
    for name, text in _FILE.findall(PAGE.read_text(encoding="utf-8")):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path))
    return tmp_path


def test_the_page_s_files_are_read(data: Path) -> None:
    kit = find_kit("passl")
    assert {file.name for file in (data / "rules" / "PASSL").iterdir()} == {
        "adapter.py",
        "cases.yaml",
        "configs.yaml",
        "families.yaml",
        "recipe.yaml",
        "rule.yaml",
    }
    assert [trainer.id for trainer in rule_for("PASSL").trainers] == ["engine", "script"]
    rule = config_rule(kit)
    assert rule is not None
    assert rule.routes[0].hooks == ("passl/engine/engine.py:Engine.__init__",)
    assert catalogue("PASSL").group == ("tasks/*/*",)
    recipe = read_recipe("PASSL", CONFIG)
    assert recipe.optimizers == ("passl.optimizer.optimizer:Optimizer",)
    assert any("RandomResizedCrop.size=64" in option for option in recipe.set)


def test_the_page_s_programs_are_python(data: Path) -> None:
    adapter = data / "rules" / "PASSL" / "adapter.py"
    compile(adapter.read_text(encoding="utf-8"), adapter.name, "exec")
    launched = read_recipe("PASSL", CONFIG).argv
    assert launched[0] == "-c"
    compile(launched[1], "argv", "exec")


def test_its_case_holds_and_a_rule_without_one_is_told(
    data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["rules", "test", "PASSL"]) == 0
    assert capsys.readouterr().out in PAGE.read_text(encoding="utf-8")
    cases_file(data / "rules" / "PASSL" / "rule.yaml").unlink()
    assert run(["rules", "test", "PASSL"]) == 2
    assert "PASSL/rule.yaml has no cases. Write some in" in capsys.readouterr().err


@pytest.mark.slow
@pytest.mark.skipif(not MIRRORED, reason="needs a mirror with PASSL")
@pytest.mark.parametrize("language", ["", ".zh-CN"])
def test_the_page_prints_what_it_shows_before_it_trains(
    language: str,
    data: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Command by command; a line of dots is a cut."""
    monkeypatch.setenv("CODEMOD_MIRROR", MIRROR)
    monkeypatch.setenv("CODEMOD_PROGRESS", "never")
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    folder = tmp_path_factory.mktemp("page")
    root = fetched(find_kit("PASSL"), Workspace.at(folder / "ws"), None).root
    for name in ("PASSL-checkout", "PASSL-before-apply"):
        shutil.copytree(root, folder / name)
    text = PAGE.with_name(f"eleventh-kit{language}.md").read_text(encoding="utf-8")
    first, *rest = _CONSOLE.findall(text[: text.index("## 5.")])
    monkeypatch.delenv("CODEMOD_DATA")
    (folder / "my-data/rules/PASSL").mkdir(parents=True)
    _play(first, folder)
    shutil.copytree(data, folder / "my-data", dirs_exist_ok=True)
    monkeypatch.setenv("CODEMOD_DATA", "my-data")
    for block in rest:
        _play(block, folder)


def _play(block: str, folder: Path) -> None:
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
