"""What a recipe asks for besides a command: files that are written for the run."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from codemod.base.errors import UsageError
from codemod.training.launch import Setting, commands
from codemod.training.recipes import Recipe
from codemod.training.run_spec import RunSpec


def test_a_file_is_written_where_the_recipe_has_its_text(tmp_path: Path) -> None:
    setting = Setting(
        RunSpec("", "a.yaml", 1), tmp_path, tmp_path / "runs", Path(sys.executable), "cpu", 1
    )
    recipe = Recipe(argv=("train.py", "{overlay}"), overlay="_base_: {root}/{config}\n")
    commands(recipe, setting, tmp_path)
    assert [file.name for file in setting.out.iterdir()] == ["overlay.yml"]
    assert (setting.out / "overlay.yml").read_text() == f"_base_: {tmp_path}/a.yaml\n"
    commands(
        replace(recipe, argv=("train.py",), overlay=""),
        replace(setting, folder=tmp_path / "b"),
        tmp_path,
    )
    assert not list((tmp_path / "b" / "out").iterdir())


def test_a_kit_s_own_launcher_is_named(tmp_path: Path) -> None:
    setting = Setting(
        RunSpec("", "a.py", 1), tmp_path, tmp_path / "runs", Path(sys.executable), "cpu", 1
    )
    recipe = Recipe(argv=("{launcher}", "{config}"))
    off, _ = commands(recipe, replace(setting, kit="PaddleNLP"), tmp_path)
    launcher = Path(off.argv[1])
    assert launcher.is_file() and launcher.parts[-3:] == ("rules", "PaddleNLP", "launch.py")
    with pytest.raises(UsageError, match="unknown placeholder"):
        commands(recipe, setting, tmp_path)
