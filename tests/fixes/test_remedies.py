"""Every remedy rewrites its own cases as they say, once, and leaves alone what they leave alone."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
import yaml

from codemod.audit.fixes.catalog import REMEDIES, TABLE
from codemod.audit.fixes.change import change_of
from codemod.audit.fixes.find import ModelFixes, find_fixes
from codemod.audit.fixes.remedy import MENDERS, Remedy
from codemod.base.changeset import Source
from codemod.code.tree import Tree
from codemod.hazards import reached_models
from codemod.kits.config_rule import ConfigRule
from tests.hazards.test_catalog import module

if TYPE_CHECKING:
    from collections.abc import Iterator

CASES = {
    id_: (file.stem, cases)
    for file in sorted(TABLE.parent.glob("*.yaml"))
    if file != TABLE
    for id_, cases in yaml.load(file.read_text(encoding="utf-8"), yaml.CSafeLoader).items()
}


def cases() -> Iterator[tuple[str, dict[str, str]]]:
    for id_, (_, listed) in sorted(CASES.items()):
        for case in listed:
            yield id_, case


def fixes_of(root: Path) -> ModelFixes:
    rule = ConfigRule(routes=(), nets=("net.py:Net",))
    models = reached_models(Tree(root), rule, {"net.yaml": {}})
    return find_fixes(models, REMEDIES)[0]


def mended(root: Path, found: ModelFixes) -> str:
    change = change_of(Source(None, root, None), Tree(root), found.fixes)
    assert not change.skipped
    return change.changes[0].new.decode() if change.changes else ""


@pytest.mark.parametrize(("id_", "case"), list(cases()))
def test_case(tmp_path: Path, id_: str, case: dict[str, Any]) -> None:
    file = tmp_path / "net.py"
    file.write_text(module(case["before"]), encoding="utf-8")
    found = fixes_of(tmp_path)
    if "after" in case:
        # What another hazard mends in the same code is named beside.
        assert {fix.remedy.id for fix in found.fixes} == {id_, *case.get("beside", ())}
        file.write_text(mended(tmp_path, found), encoding="utf-8")
        assert file.read_text(encoding="utf-8") == module(case["after"])
        assert fixes_of(tmp_path).fixes == ()
        return
    assert found.fixes == ()
    assert [str(one.reason) for one in found.without] == (
        [case["reason"]] if "reason" in case else []
    )


@pytest.mark.parametrize("remedy", REMEDIES, ids=lambda remedy: remedy.id)
def test_a_remedy_has_cases_beside_the_function_that_mends(remedy: Remedy) -> None:
    theme, listed = CASES[remedy.id]
    assert any("after" in case for case in listed)
    assert remedy.mend.__module__ == f"codemod.audit.fixes.catalog.{theme}"


def test_every_function_that_mends_has_its_row() -> None:
    assert {remedy.id for remedy in REMEDIES} == set(MENDERS)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_other_bytes_stay(tmp_path: Path, end: str, mark: bytes) -> None:
    before = module(CASES["D-77"][1][1]["before"]).replace("\n", end).replace("    ", "\t")
    (tmp_path / "net.py").write_bytes(mark + before.encode())
    change = change_of(Source(None, tmp_path, None), Tree(tmp_path), fixes_of(tmp_path).fixes)
    wanted = mark + before.replace("y.detach()", "y.clone().detach()").encode()
    assert change.changes[0].new == wanted


def test_an_expression_behind_chinese_text_on_its_line_is_mended(tmp_path: Path) -> None:
    before = module(
        'def forward(self, x):\n    y = self.body(x)\n    return ["你好", y.detach() * 3.0][1]\n'
    )
    (tmp_path / "net.py").write_text(before, encoding="utf-8")
    wanted = before.replace("y.detach()", "y.clone().detach()")
    assert mended(tmp_path, fixes_of(tmp_path)) == wanted


@pytest.mark.parametrize("page", ["fixes.md", "fixes.zh-CN.md"])
def test_the_guide_has_a_row_for_every_remedy(page: str) -> None:
    text = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8")
    heads = re.findall(r"^\| (`[DK]-\d+`[^|]*)\|[^|]+\|[^|]+\|$", text, re.MULTILINE)
    assert {id_ for head in heads for id_ in re.findall("[DK]-[0-9]+", head)} >= set(CASES)
    assert set(CASES) == {remedy.id for remedy in REMEDIES}
