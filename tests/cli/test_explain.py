"""`codemod explain`: every id that another command prints has a meaning."""

from __future__ import annotations

import ast
import json
import re
import textwrap
from typing import TYPE_CHECKING

import pytest

from codemod.audit.kinds import kinds
from codemod.cli.main import run
from codemod.hazards.catalog import CATALOG, TEXTS
from codemod.hazards.measured import VERSIONS
from codemod.judging.evidence.fix_proofs import PADDLES
from codemod.judging.verdict import Verdict
from codemod.judging.words import hints
from codemod.reports.survey.causes import causes
from codemod.work.explaining import _table, _words, explain, known_ids
from codemod.work.issue_programs import FOLDER

if TYPE_CHECKING:
    from pathlib import Path


def test_every_table_s_ids_are_known_and_each_once() -> None:
    known = known_ids()
    tables = [*TEXTS, *(id_ for id_ in kinds() if id_ not in TEXTS), *(v.value for v in Verdict)]
    tables += [*hints(), *(cause.id for cause in causes().named)]
    assert set(tables) <= set(known)
    assert len({id_.lower() for id_ in known}) == len(known)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("letter", sorted({id_[0] for id_ in known_ids()}))
def test_every_id_is_explained(letter: str, language: str) -> None:
    for id_ in known_ids():
        if id_.startswith(letter):
            is_explained(id_, language)


def is_explained(id_: str, language: str) -> None:
    found = explain(id_, language)
    assert found.id == id_
    assert found.summary, id_
    # A verdict and a class of a difference say what was seen: what helps is the cause's.
    told_alone = ("verdict", "结论", "class of a difference", "差异的类别")
    assert found.remedy or found.rewrite or found.kind.startswith(told_alone), id_
    # A fix of one kit is told by its file and scope.
    if language == "zh" and "/" not in id_:
        helps = found.remedy or found.rewrite or found.summary
        # What avoids a fault of Paddle may be code alone.
        told = (found.kind, found.summary, *([helps] if not found.programs else []))
        assert all(re.search("[\u4e00-\u9fff]", one) for one in told), id_


def test_a_hazard_shows_code_and_effects() -> None:
    for hazard in CATALOG:
        if hazard.find:
            found = explain(hazard.id)
            assert found.flagged, hazard.id
            assert len(found.effects) == 2 * len(VERSIONS), hazard.id


def test_every_hazard_says_why_in_one_place() -> None:
    groups = _table("codemod.hazards", "why.yaml")
    for id_ in TEXTS:
        times = sum(id_ in group["of"] for group in groups)
        assert times == 1, f"write {id_} under one `of` of codemod/hazards/why.yaml"
        assert explain(id_).why and re.search("[\u4e00-\u9fff]", explain(id_, "zh").why), id_


def test_a_hazard_leads_to_its_program_and_to_the_configs_on_record() -> None:
    found = explain("D-99")
    (program,) = found.programs
    assert program.name == "returned_twice.py"
    assert program.shows["2.6.2"].startswith("differs: dynamic -7.6899, AST -15.3798")
    assert all(re.match(r"Paddle\w+ \S+ \(.*\d\.\d\.\d\)", one) for one in found.configs)
    proved = explain("D-77")
    kits = {one.partition(" ")[0] for one in proved.proved_configs}
    assert kits == set(proved.proved) and proved.programs


@pytest.mark.parametrize("name", sorted(file.name for file in FOLDER.glob("*.py")))
def test_every_program_is_explained(name: str) -> None:
    for language in ("en", "zh"):
        (program,) = explain(name, language).programs
        assert set(PADDLES) <= set(program.shows), "python -m bench.paddle_issues --write"
        assert program.says and program.modes and "import paddle" in program.code
    assert f"{name}" in known_ids()


@pytest.mark.parametrize("kind", [id_ for id_ in kinds() if id_ not in TEXTS])
def test_every_kind_of_finding_has_code_that_shows_it_and_code_that_does_not(kind: str) -> None:
    found = explain(kind)
    for (piece,) in (found.flagged, found.silent):
        if not kind.startswith("tipc-"):
            ast.parse(piece)
    assert found.flagged != found.silent


SCRIPT = """\
import argparse
import copy

import paddle
from paddle import nn

from data import load
from nets import build


def main(args, config, parser):
    model = build(args)
{body}
    for x in load():
        model(x).backward()
"""
SEEN = (
    "hook-on-wrapper hook-after-wrap copy-after-hook hook-without-gate flag-type-bool "
    "bad-suppression"
)


@pytest.mark.parametrize("kind", SEEN.split())
def test_the_audit_sees_it_in_the_one_and_not_in_the_other(
    kind: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    found = explain(kind)
    for (piece,), wanted in ((found.flagged, True), (found.silent, False)):
        body = textwrap.indent(piece, "    ")
        (tmp_path / "train.py").write_text(SCRIPT.format(body=body), encoding="utf-8")
        run(["check", str(tmp_path), "--json"])
        told = json.loads(capfd.readouterr().out)["findings"]
        assert (kind in {one["id"] for one in told}) == wanted


def test_a_verdict_says_what_it_means_and_names_ten_configs(
    capfd: pytest.CaptureFixture[str],
) -> None:
    for verdict in Verdict:
        times = sum(verdict.value in group["of"] for group in _words()["verdicts"])
        assert times == 1, f"write {verdict} under one `of` of codemod/work/explaining.yaml"
        assert explain(verdict.value).why and explain(verdict.value, "zh").why
    assert run(["explain", "pass-partial"]) == 0
    said = capfd.readouterr().out
    assert "\nMeaning: equal, but part of the model ran dynamically" in said
    assert len(re.findall(r"^    Paddle\w+ ", said, re.MULTILINE)) == 10
    rest = len(explain("pass-partial").configs) - 10
    assert f"… and {rest} more (--json has all)\n" in said


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
    assert re.search("依据库中的行：.*、", said)
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
