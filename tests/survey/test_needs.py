"""The head of the survey: causes by how many configs they alone hold up."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from codemod.base.reason import Reason, spoken
from codemod.hazards.catalog import TEXTS
from codemod.judging.verdict import Verdict
from codemod.kits.folder import CAUSES, kits_with
from codemod.kits.rulebook import refusals
from codemod.reports.survey.causes import (
    REFUSED,
    cause_of,
    cause_remedy,
    cause_text,
    causes,
    kit_causes,
)
from codemod.reports.survey.pages.document import Document, Survey, to_json
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.pages.needs import Obstacle, needs
from codemod.reports.survey.rows import (
    SAME,
    ConfigVerdict,
    KitSurvey,
    Outlook,
    Row,
    RowState,
    Trainable,
)
from codemod.reports.survey.words import Words


def said(
    verdict: Verdict | Outlook, source: str, reason: str = "", mode: str = "sot", hazard: str = ""
) -> ConfigVerdict:
    figures = {"hazard": hazard} if hazard else {}
    read = reason.partition(" ")[0] if source == "hazards" else ""
    return ConfigVerdict(mode, "2.6.2", verdict, source, reason, figures=figures, hazard=read)


def survey(**verdicts: tuple[ConfigVerdict, ...]) -> KitSurvey:
    units = tuple(Trainable(path, "M", None, None, None) for path in verdicts)
    row = Row("r", "R", "R", True, "t", RowState.TRAINS, units, verdicts)
    return KitSurvey("Kit", "https://example.com/Kit", None, (row,), {})


PROGRAMS = Path(__file__).parents[2] / "docs" / "paddle-issues"
DIFFERS, FAILS = Verdict.GRADIENT_DIFFERS, Verdict.FAILS
RISK = said(Outlook.AT_RISK, "hazards", "D-69 stop-gradient-write in M.forward, and 2 more")
ERROR = "TypeError: TypeError: no len() at a/b"


def failed(source: str, *more: Reason, hazard: str = "") -> ConfigVerdict:
    codes = (Reason.of("judging.static-fails", last=ERROR), *more)
    return replace(said(FAILS, source, spoken(codes), hazard=hazard), said=codes)


@pytest.fixture
def kit() -> KitSurvey:
    return survey(
        a=(said(DIFFERS, "probe"), RISK),
        b=(said(DIFFERS, SAME), RISK),
        c=(RISK,),
        d=(failed("parity", hazard="D-01"), RISK),
        e=(
            failed("probe", Reason.of("experiments.seen-at-size", size="64")),
            said(DIFFERS, "probe", mode="ast", hazard="D-01"),
        ),
        f=(said(Verdict.PASS, "probe"), RISK),
        g=(said(Verdict.NOT_RUN, "probe", "no data"),),
        h=(said(Verdict.CRASH, "probe"),),
    )


def test_causes_are_counted_and_sorted_by_what_they_free(kit: KitSurvey) -> None:
    found = needs([kit], Words("en"))
    sot = (("sot", "2.6.2"),)
    assert found == [
        Obstacle("D-69 stop-gradient-write", "Use t.detach().", sot, 2, 1, 1, 1),
        Obstacle(
            "D-01 numpy-roundtrip",
            "Use Paddle's own operation instead of going through NumPy.",
            (("ast", "2.6.2"), ("sot", "2.6.2")),
            1,
            2,
            0,
            0,
        ),
        Obstacle("crash: no known pattern explains it", "", sot, 1, 1, 0, 0),
        Obstacle("fails: no known pattern explains it", "", sot, 0, 1, 0, 0),
    ]


def test_what_is_only_read_needs_nothing_yet() -> None:
    assert needs([survey(a=(RISK,), b=(said(Verdict.PASS, "probe"), RISK))], Words("en")) == []


@pytest.mark.parametrize("template", ["survey.md", "survey.html"])
def test_the_totals_come_before_them(kit: KitSurvey, template: str, tmp_path: Path) -> None:
    whole = Survey((kit,), "2026-01-01")
    links = Links(tmp_path, tmp_path, tmp_path)
    for language, *parts in (
        ("en", "By family of the plan", "By config", "Configs that were run and", "Use t"),
        ("zh", "按模型族汇总", "按配置汇总", "运行过而不一致的配置", "改用 .detach()。"),
    ):
        text = Document(whole, language, links).render(template)
        places = [text.index(part) for part in parts]
        assert places == sorted(places)
    assert [need["frees"] for need in to_json(whole, "0")["needs"]] == [2, 1, 1, 0]


def test_a_document_without_failures_says_so(tmp_path: Path) -> None:
    whole = Survey((survey(a=(said(Verdict.PASS, "probe"),)),), "2026-01-01")
    links = Links(tmp_path, tmp_path, tmp_path)
    assert "No config that was run differs or fails." in Document(whole, "en", links).render(
        "survey.md"
    )


def test_every_named_cause_is_known() -> None:
    known = {*TEXTS, *(one.id for one in causes().named)}
    assert {REFUSED, *(sign.cause for sign in causes().signs)} <= known
    for kit in kits_with(CAUSES):
        assert {one.cause for one in kit_causes(kit).causes} <= known
    for named in causes().named:
        assert not named.id.endswith(".py") or (PROGRAMS / named.id).is_file()


@pytest.mark.parametrize(
    ("error", "mode", "paddle", "cause"),
    [
        ("TypeError: bool(Tensor) is not supported in static graph mode.", "ast", "3.3.1", "D-05"),
        ("SyntaxError: no binding for nonlocal 'x' found", "ast", "2.6.2", "nonlocal"),
        (
            "TypeError: finfo.__new__() missing 1 required positional argument: 'dtype'",
            "sot",
            "2.6.2",
            "sot-empty-call",
        ),
        (
            "TypeError: finfo.__new__() missing 1 required positional argument: 'dtype'",
            "sot",
            "3.3.1",
            "",
        ),
        ("InnerError: In simulate execution:", "sot", "3.3.1", ""),
        ("NameError: name '__path__' is not defined", "ast", "2.6.2", "logger-in-branch"),
        (
            "ValueError: (InvalidArgument) Not found key in IRMapping.",
            "ast",
            "3.3.1",
            "kept_tensor.py",
        ),
        (
            "DataClassInstanceVariable DataClassInstanceVariable(object_39) has no attribute to_4d",
            "sot",
            "3.3.1",
            "sot-dataclass",
        ),
        ("HasNoAttributeError: Unknown Tensor attribute: to", "sot", "2.6.2", "D-89"),
        ("HasNoAttributeError: Unknown Tensor attribute: to_dense", "sot", "2.6.2", ""),
        ("AttributeError: 'Variable' object has no attribute 'to'", "ast", "2.6.2", "D-89"),
        ("AttributeError: 'Net' object has no attribute '__inner'", "ast", "3.3.1", "D-70"),
        ("AttributeError: 'Net' object has no attribute '_inner'", "ast", "3.3.1", ""),
        ("AttributeError: 'Variable' object has no attribute '__len__'", "ast", "2.6.2", ""),
    ],
)
def test_an_error_names_its_cause(error: str, mode: str, paddle: str, cause: str) -> None:
    told = ConfigVerdict(
        mode, paddle, FAILS, "probe", said=(Reason.of("judging.static-fails", last=error),)
    )
    assert cause_of("Kit", "a.yml", told) == cause


def test_an_error_that_the_kit_s_own_rule_raises_is_a_refusal() -> None:
    """The survey knew these errors by patterns of its own, which a new wording would have missed."""
    for kit in ("PaddleGAN", "PaddleRec", "Paddle3D"):
        for text in refusals(kit):
            last = "RuntimeError: " + text.pattern.replace("\\", "")
            said = (Reason.of("judging.static-fails", last=last),)
            told = ConfigVerdict("ast", "3.3.1", FAILS, "probe", said=said)
            assert cause_of(kit, "a.yml", told) == "refused"
            assert cause_of("PaddleSeg", "a.yml", told) == ""
    assert refusals("PaddleSeg") == ()


def test_what_was_found_in_a_model_comes_before_its_message() -> None:
    seen = ConfigVerdict("sot", "2.6.2", DIFFERS, "probe", figures={"first": "extra"})
    assert cause_of("PaddleOCR", "configs/rec/rec_r32_gaspin_bilstm_att.yml", seen) == "D-69"
    assert cause_of("PaddleOCR", "configs/rec/rec_other.yml", seen) == "P-07"
    ran = replace(seen, figures={"first": "extra", "hazard": "D-31"})
    assert cause_of("PaddleOCR", "configs/rec/rec_r32_gaspin_bilstm_att.yml", ran) == "D-31"


def test_a_cause_is_told_in_both_languages() -> None:
    for language in ("en", "zh"):
        words = Words(language)
        told = [cause_text(one.id, words) for one in causes().named]
        assert len(set(told)) == len(told)
        whole = "".join(told)
        assert ("梯度" in whole) == (language == "zh")
        assert cause_remedy("D-69", words) in ("Use t.detach().", "改用 .detach()。")
