from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.base.errors import UsageError
from codemod.code.tree import Tree
from codemod.kits.catalogue import Kit, find_kit, index_of, load_kits
from codemod.kits.config_files import config_files
from codemod.kits.folder import RULE, kit_file, kits_with

if TYPE_CHECKING:
    from pathlib import Path

NAMES = [
    "PaddleClas",
    "PaddleNLP",
    "PaddleSeg",
    "PaddleDetection",
    "Paddle3D",
    "PaddleOCR",
    "PaddleRec",
    "PaddleGAN",
    "PaddleVideo",
    "PaddleYOLO",
]

URL = "https://github.com/PaddlePaddle/PaddleSeg"
GOOD = """\
kits:
  PaddleSeg:
    git: https://github.com/PaddlePaddle/PaddleSeg
    revision: d7975e7cb3b9102eae4eabcef5afb81b878473aa
    package: {name: paddleseg, version: 2.8.0, root: ".", trainer: true}
    paddle: ">=2.4"
    python: ">=3.7,<3.13"
    marks: [paddleseg]
    configs: ["configs/**/*.yml"]
"""


def load(tmp_path: Path, text: str | bytes) -> dict[str, Kit]:
    file = tmp_path / "kits.yaml"
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return load_kits(file)


def test_the_ten_kits_are_known_and_each_has_its_rule() -> None:
    kits = load_kits()
    assert list(kits)[: len(NAMES)] == NAMES, "a further kit comes after them"
    for kit in kits.values():
        assert kit_file(kit.name, RULE) is not None, kit.name


def test_a_kit_has_what_the_file_says(tmp_path: Path) -> None:
    kit = load(tmp_path, GOOD)["PaddleSeg"]
    assert kit.git.endswith("/PaddleSeg")
    assert kit.package is not None
    assert (kit.package.name, kit.package.version, kit.package.trainer) == (
        "paddleseg",
        "2.8.0",
        True,
    )
    assert kit.configs == ("configs/**/*.yml",)
    assert kit.excluded == ()


@pytest.mark.parametrize("name", ["PaddleSeg", "paddleseg", "PADDLESEG"])
def test_names_are_found_in_any_case(name: str) -> None:
    assert find_kit(name).name == "PaddleSeg"


def test_an_unknown_name_gets_near_ones() -> None:
    with pytest.raises(UsageError, match=r"`PadleSeg` is neither.*PaddleSeg.*or a folder"):
        find_kit("PadleSeg")
    with pytest.raises(UsageError, match=r"Known kits: PaddleClas, .*or a folder"):
        find_kit("zzz")


FAULTS = {
    "unknown key": ("    marks:", "    makrs: x\n    marks:", 8, "is not a known key"),
    "missing key": ("    marks: [paddleseg]\n", "", 3, "lacks marks"),
    "plain http": ("https://github", "http://github", 3, "git address by https, ssh or file"),
    "program as address": (URL, "ext::sh -c id", 3, "git address"),
    "option as host": (URL, "git@-oProxyCommand=id:x", 3, "git address"),
    "option as path": (URL, "git@host:-oProxyCommand=id", 3, "git address"),
    "short revision": ("d7975e7cb3b9102eae4eabcef5afb81b878473aa", "d7975e7", 4, "commit of 40"),
    "absolute path": ("marks: [paddleseg]", "marks: [/etc/passwd]", 8, "leads out of the tree"),
    "path upwards": ("configs/**/*.yml", "../**/*.yml", 9, "leads out of the tree"),
    "no list": ("marks: [paddleseg]", "marks: paddleseg", 8, "must be a list, not a single value"),
    "no mapping": ("  PaddleSeg:\n", "  PaddleSeg: [1]\n  Other:\n", 2, "must be a mapping"),
    "no version range": ('">=2.4"', "newest", 6, "version range"),
    "no boolean": ("trainer: true", "trainer: perhaps", 5, "must be true or false"),
    "empty value": ("git: https://github.com/PaddlePaddle/PaddleSeg", "git:", 3, "is empty"),
    "double key": ("    marks:", "    git: file:///x\n    marks:", 8, "appears twice"),
    "strange name": ("  PaddleSeg:", "  ../x:", 3, "is not a valid name for a kit"),
    "bad indent": ("    marks", "   marks", 8, "not valid YAML"),
    "tab": ("    marks", "\tmarks", 8, "not valid YAML"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_named_with_file_line_and_remedy(name: str, tmp_path: Path) -> None:
    old, new, line, problem = FAULTS[name]
    text = GOOD.replace(old, new, 1)
    assert text != GOOD
    with pytest.raises(UsageError) as caught:
        load(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'kits.yaml'}:{line}: ")
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("text", "problem"),
    [("", "is empty"), ("kits: {a: *x}\n", "not valid YAML"), ("[1, 2]\n", "must be a mapping")],
)
def test_a_file_that_is_no_table_is_refused(text: str, problem: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=problem):
        load(tmp_path, text)


def test_a_file_in_another_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"kits.yaml:2: not UTF-8"):
        load(tmp_path, "kits:\n# 套件\n".encode("gbk"))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nowhere.yaml: no such file"):
        load_kits(tmp_path / "nowhere.yaml")


def test_a_name_may_not_differ_in_case_alone(tmp_path: Path) -> None:
    entry = GOOD.partition("PaddleSeg:\n")[2]
    with pytest.raises(UsageError, match="case only"):
        load(tmp_path, GOOD + "  PADDLESEG:\n" + entry)


def test_a_folder_of_the_user_s_own_can_stand_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "kits.yaml").write_text(GOOD.replace("PaddleSeg:", "PASSL:"))
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path))
    assert find_kit("passl").name == "PASSL"


def test_files_of_the_user_s_folder_go_before_those_of_the_tool(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path))
    mine = tmp_path / "rules" / "PaddleSeg" / "recipe.yaml"
    mine.parent.mkdir(parents=True)
    mine.write_text("argv: [train.py]\n")
    assert kit_file("PaddleSeg", "recipe.yaml") == mine
    rule = kit_file("PaddleSeg", "rule.yaml")
    assert rule is not None
    assert rule.parent.parent != mine.parent.parent
    assert "PaddleOCR" in load_kits()


def test_an_eleventh_kit_may_be_like_one_of_the_ten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = GOOD.replace("PaddleSeg:", "MySeg:") + "    like: PaddleSeg\n"
    (tmp_path / "kits.yaml").write_text(text)
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path))
    assert list(load_kits()) == ["MySeg"]
    borrowed = kit_file("MySeg", "adapter.py")
    assert borrowed is not None
    assert borrowed.parent.name == "PaddleSeg"
    assert kits_with("adapter.py") == ("MySeg",)
    (tmp_path / "kits.yaml").write_text(text.replace("like: PaddleSeg", "like: Nothing"))
    with pytest.raises(UsageError, match="which is not a kit"):
        load_kits()


def test_configs_are_those_that_the_globs_name(tmp_path: Path) -> None:
    kit = load(
        tmp_path,
        GOOD.replace("    marks", '    excluded: ["configs/_base_/*.yml"]\n    marks'),
    )["PaddleSeg"]
    for name in (
        "configs/a.yml",
        "configs/deep/er/b.yml",
        "configs/_base_/c.yml",
        "configs/d.yaml",
        "other/e.yml",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    assert config_files(kit, Tree(tmp_path)) == ["configs/a.yml", "configs/deep/er/b.yml"]


OWN = f"{GOOD}    index: cu126\n"
FOR_ALL = f"{GOOD}index: https://wheels.example.org/simple/\n"


@pytest.mark.parametrize(
    ("text", "index"),
    [
        (GOOD, ""),
        (OWN, "cu126"),
        (FOR_ALL, "https://wheels.example.org/simple/"),
        (f"{OWN}index: cu118\n", "cu126"),
    ],
)
def test_an_index_of_paddle_is_a_kit_s_own_or_that_of_all(
    tmp_path: Path, text: str, index: str
) -> None:
    assert load(tmp_path, text)["PaddleSeg"].index == index


def test_what_is_no_kit_gets_the_index_for_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert index_of("PaddleSeg") == index_of("mine") == ""
    load(tmp_path, f"{OWN}index: cu118\n")
    (tmp_path / "rules").mkdir()
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path))
    assert (index_of("PaddleSeg"), index_of("mine")) == ("cu126", "cu118")


@pytest.mark.parametrize("value", ["cu42", "cu12", "ftp://here/", "https://", "[cu126]", '""'])
@pytest.mark.parametrize(("text", "path", "line"), [(OWN, "kits.PaddleSeg", 10), (FOR_ALL, "", 10)])
def test_an_index_that_nobody_knows_is_refused_with_its_line(
    tmp_path: Path, text: str, path: str, line: int, value: str
) -> None:
    head = text.rpartition("index:")[0]
    with pytest.raises(UsageError) as error:
        load(tmp_path, f"{head}index: {value}\n")
    place = f"kits.yaml:{line}: `{f'{path}.index'.lstrip('.')}` "
    assert place in str(error.value)
    if value == "cu42":
        assert "is `cu42`, which is no index of Paddle. Did you mean cu129" in str(error.value)
