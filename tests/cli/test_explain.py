"""`codemod explain`: every id that another command prints has a meaning."""

from __future__ import annotations

import json
import re

import pytest

from codemod.audit.kinds import kinds
from codemod.cli.main import run
from codemod.hazards.catalog import CATALOG, TEXTS
from codemod.hazards.measured import VERSIONS
from codemod.judging.verdict import Verdict
from codemod.judging.words import hints
from codemod.reports.survey.causes import causes
from codemod.work.explaining import explain, known_ids


def test_every_table_s_ids_are_known_and_each_once() -> None:
    known = known_ids()
    tables = [*TEXTS, *(id_ for id_ in kinds() if id_ not in TEXTS), *(v.value for v in Verdict)]
    tables += [*hints(), *(cause.id for cause in causes().named)]
    assert set(tables) <= set(known)
    assert len({id_.lower() for id_ in known}) == len(known)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("id_", known_ids())
def test_every_id_is_explained(id_: str, language: str) -> None:
    found = explain(id_, language)
    assert found.id == id_
    assert found.summary
    # A verdict and a class of a difference say what was seen: what helps is the cause's.
    told_alone = ("verdict", "结论", "class of a difference", "差异的类别")
    assert found.remedy or found.rewrite or found.kind.startswith(told_alone)
    # A fix of one kit is told by its file and scope.
    if language == "zh" and "/" not in id_:
        told = (found.kind, found.summary, found.remedy or found.rewrite or found.summary)
        assert all(re.search("[\u4e00-\u9fff]", one) for one in told)


@pytest.mark.parametrize("hazard", [one for one in CATALOG if one.find], ids=lambda one: one.id)
def test_a_hazard_shows_code_and_effects(hazard: object) -> None:
    found = explain(hazard.id)  # type: ignore[attr-defined]
    assert found.flagged
    assert len(found.effects) == 2 * len(VERSIONS)


def test_a_fix_shows_what_it_makes_of_code(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "d-77"]) == 0
    said = capfd.readouterr().out
    assert said.startswith("D-77 ")
    assert "\nBefore:\n" in said and "\nAfter:\n" in said
    assert ".clone().detach()" in said


def test_what_is_told_in_chinese_has_no_signs_of_english(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "--zh", "D-77", "pass-partial"]) == 0
    said = capfd.readouterr().out
    assert "  AST，Paddle 2.6  ok（一致）\n" in said
    assert "依据库中的行：" in said and "、" in said.rpartition("：")[2]
    assert not re.search("[\u4e00-\u9fff] ?[(),:]|[(),:] ?[\u4e00-\u9fff]", said)


def test_a_fix_of_one_kit_goes_by_its_kit() -> None:
    found = explain("paddleocr/x-01")
    assert found.kind == "fix of PaddleOCR"
    assert found.before_after[0][0] != found.before_after[0][1]


def test_machines_get_an_object(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "D-02", "--json"]) == 0
    assert json.loads(capfd.readouterr().out)["effects"]["AST on 2.6"].startswith("wrong")
    assert run(["explain", "--json"]) == 0
    assert "copy-after-hook" in json.loads(capfd.readouterr().out)["ids"]


def test_an_id_that_is_none(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "copy-after-hok"]) == 2
    assert "Did you mean copy-after-hook" in capfd.readouterr().err


def test_an_id_that_several_kits_have_names_each_of_them(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run(["explain", "x-01"]) == 1
    said = capfd.readouterr().err
    assert re.match(
        r"Error: \d kits have a fix `x-01`: PaddleClas/X-01, .*PaddleYOLO/X-01\. ", said
    )
    assert explain("X-13").id == "PaddleOCR/X-13", "one kit has it"
