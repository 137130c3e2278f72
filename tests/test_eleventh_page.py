"""The files that docs/eleventh-kit.md shows are files that the tool reads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

from bench.architecture import TOP
from codemod.kits.catalogue import find_kit
from codemod.kits.config_rule import config_rule
from codemod.kits.rulebook import rule_for
from codemod.reports.survey.families import catalogue
from codemod.training.recipes import read_recipe

if TYPE_CHECKING:
    from pathlib import Path

PAGE = TOP / "docs" / "eleventh-kit.md"
CONFIG = "tasks/ssl/simsiam/configs/simsiam_resnet50_lp_in1k_1n8c_dp_fp32.yaml"
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
