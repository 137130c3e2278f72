"""`codemod survey` on the command line."""

from __future__ import annotations

import json
import shutil
from typing import TYPE_CHECKING

import pytest

from codemod.cli.main import run

if TYPE_CHECKING:
    from pathlib import Path


def survey(root: Path, *words: object) -> int:
    """Run the command on a checkout, with a workspace beside it."""
    head = ["survey", "PaddleSeg", "--path", root, "--workspace", root.parent / "ws"]
    return run([str(word) for word in (*head, *words)])


def test_a_folder_gets_all_forms_in_both_languages(
    segkit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert survey(segkit, "-o", f"{tmp_path}/out/") == 0
    out = capsys.readouterr().out
    assert "PaddleSeg" in out
    names = {file.name for file in (tmp_path / "out").iterdir()}
    assert names == {
        "survey.zh.md",
        "survey.en.md",
        "survey.zh.html",
        "survey.en.html",
        "survey.csv",
        "survey.json",
    }
    assert "Object detection" not in (tmp_path / "out/survey.zh.html").read_text("utf-8")
    assert "语义分割" in (tmp_path / "out/survey.zh.html").read_text("utf-8")
    assert "Semantic segmentation" in (tmp_path / "out/survey.en.html").read_text("utf-8")


def test_several_kits_have_a_page_each_which_the_page_of_all_names(
    segkit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = tmp_path / "PaddleVideo"
    shutil.copytree(segkit, other)
    (other / "paddleseg").rename(other / "paddlevideo")
    words = ["survey", str(segkit), str(other), "--workspace", str(tmp_path / "ws"), "-o"]
    folder = tmp_path / "out"
    assert run([*words, f"{folder}/"]) == 0
    told = capsys.readouterr().out.splitlines()
    files = {str(file) for file in folder.iterdir()}
    assert files == {line for line in told if line.startswith(str(folder))}
    assert run([*words, str(tmp_path / "whole.en.md")]) == 0
    whole = (tmp_path / "whole.en.md").read_text("utf-8")
    index = (folder / "survey.en.md").read_text("utf-8")
    parts = [(folder / f"{kit}.en.md").read_text("utf-8") for kit in ("PaddleSeg", "PaddleVideo")]
    for kit, part in zip(("PaddleSeg", "PaddleVideo"), parts, strict=True):
        assert f"[{kit}]({kit}.en.md)" in index
        assert part.splitlines()[2].startswith("[All kits](survey.en.md)")
        assert f"## {kit}" in part.splitlines() and f"## {kit}" not in index.splitlines()
    # Nothing of the single page is lost.
    lines = {line for text in (index, *parts) for line in text.splitlines()}
    assert [
        line for line in whole.splitlines() if line not in lines and "| Paddle" not in line
    ] == []


def test_json_is_one_object_and_nothing_else(
    segkit: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert survey(segkit, "--json") == 0
    data = json.loads(capsys.readouterr().out)
    assert [kit["kit"] for kit in data["kits"]] == ["PaddleSeg"]
    assert data["changes"] is None


def test_the_survey_beside_the_output_is_what_it_is_compared_with(
    segkit: Path, tmp_path: Path
) -> None:
    assert survey(segkit, "-o", tmp_path / "list.json") == 0
    (segkit / "configs/ann/ann_c.yml").write_text("_base_: ann_a.yml\n")
    assert survey(segkit, "-o", tmp_path / "list.en.md") == 0
    text = (tmp_path / "list.en.md").read_text("utf-8")
    assert "PaddleSeg · ANN: configs 2 → 3" in text
    other = tmp_path / "apart" / "list.zh.md"
    assert survey(segkit, "-o", other) == 0
    assert "没有上次的结果可比" in other.read_text("utf-8")
    assert survey(segkit, "-o", other, "--since", tmp_path / "list.json") == 0
    assert "ANN: configs 2 → 3" in other.read_text("utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("-o", "list.pdf"), "list.pdf has no suffix of a survey. End it in .md"),
        (("--since", "nowhere.json"), "nowhere.json cannot be read as a survey."),
        (("--all",), "--all means all kits."),
    ],
)
def test_bad_usage_is_one_sentence(
    segkit: Path,
    words: tuple[str, ...],
    told: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert survey(segkit, *words) == 2
    # On a slow machine indented lines say what takes long.
    said = [line for line in capsys.readouterr().err.splitlines() if not line.startswith("  ")]
    assert len(said) == 1
    assert told in said[0]


def test_an_unknown_repository_is_refused(
    minikit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["survey", str(minikit), "--workspace", str(tmp_path / "ws")]) == 2
    assert "is not a known kit" in capsys.readouterr().err


def test_a_kit_that_fails_does_not_take_the_others_with_it(
    segkit: Path, minikit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["survey", str(minikit), str(segkit), "--workspace", str(tmp_path / "ws"), "--json"]
    assert run(words) == 2
    told = capsys.readouterr()
    assert [kit["kit"] for kit in json.loads(told.out)["kits"]] == ["PaddleSeg"]
    assert "minikit" in told.err
