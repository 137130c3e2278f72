"""A verdict counts for a config that builds the same computation, and is never shown as a run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.hazards import ModelHazards
from codemod.judging.verdict import Verdict
from codemod.reports.survey.alike import Verdicts, alike
from codemod.reports.survey.causes import cause_of
from codemod.reports.survey.cells import cell
from codemod.reports.survey.pages.document import Document, Survey, to_json
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.pages.totals import totals
from codemod.reports.survey.rows import SAME, ConfigVerdict, Outlook

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.reports.survey.rows import KitSurvey

ANN, OTHER = "configs/ann/ann_a.yml", "configs/ann/ann_b.yml"


def models(**computations: str | None) -> tuple[ModelHazards, ...]:
    return tuple(
        ModelHazards(config, ("n.py:N",), (), (), computation)
        for config, computation in computations.items()
    )


def ran(verdict: Verdict | Outlook, source: str = "probe", mode: str = "ast") -> ConfigVerdict:
    return ConfigVerdict(mode, "3.3.1", verdict, source, "why")


def test_it_names_the_config_that_was_run() -> None:
    found = alike(models(a="x", b="x", c="y", d=None, e=None), {"a": (ran(Verdict.FAILS),)})
    assert set(found) == {"b"}
    (said,) = found["b"]
    assert (said.source, said.same_as, said.verdict) == (SAME, "a", Verdict.FAILS)


def test_it_keeps_what_the_cause_is_known_by_and_no_other_figure() -> None:
    figures = {"first": "none-against-zero", "steps": 2}
    own = replace(ran(Verdict.GRADIENT_DIFFERS), figures=figures)
    (said,) = alike(models(a="x", b="x"), {"a": (own,)})["b"]
    assert said.figures == {"first": "none-against-zero"}
    assert cause_of("PaddleSeg", "b", said) == "P-07"


def test_an_own_run_is_left_alone() -> None:
    own = {"a": (ran(Verdict.FAILS), ran(Verdict.PASS, mode="sot")), "b": (ran(Verdict.PASS),)}
    found = alike(models(a="x", b="x"), {"a": own["a"], "b": (ran(Verdict.FAILS),)})
    assert [(v.mode, v.verdict) for v in found["b"]] == [("sot", Verdict.PASS)]


def test_runs_that_do_not_agree_say_nothing() -> None:
    known = {"a": (ran(Verdict.PASS),), "b": (ran(Verdict.FAILS),)}
    assert alike(models(a="x", b="x", c="x"), known) == {}
    both = {"a": (ran(Verdict.PASS),), "b": (ran(Verdict.PASS_PARTIAL),)}
    assert [v.verdict for v in alike(models(a="x", b="x", c="x"), both)["c"]] == [Verdict.PASS]


@pytest.mark.parametrize(
    "verdict", [Verdict.NOT_RUN, Verdict.DYNAMIC_FAILS, Verdict.TIMEOUT, Verdict.OOM]
)
def test_what_depends_on_sizes_or_says_nothing_is_not_handed_on(verdict: Verdict) -> None:
    assert alike(models(a="x", b="x"), {"a": (ran(verdict),)}) == {}


def test_a_net_that_fails_in_dynamic_mode_fails_in_other_sizes() -> None:
    own = ran(Verdict.DYNAMIC_FAILS, mode="dynamic"), ran(Verdict.DYNAMIC_FAILS)
    (said,) = alike(models(a="x", b="x"), {"a": own})["b"]
    assert (said.mode, said.verdict) == ("dynamic", Verdict.DYNAMIC_FAILS)
    unsure = ran(Verdict.NOT_RUN, mode="dynamic")
    assert alike(models(a="x", b="x"), {"a": (unsure,)}) == {}


def test_the_survey_shows_it_as_the_other_s(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path], tmp_path: Path
) -> None:
    keep("probes", "a", ANN)
    survey = surveyed()
    row = next(row for row in survey.rows if row.name == "ANN")
    made = cell(row, "ast", "2.6.2")
    assert (made.sign, made.ran, made.alike) == ("yes", 1, 1)
    tally = totals([row]).modes["ast", "2.6.2"]
    assert (tally.ran, tally.equal, tally.alike, tally.clear) == (1, 1, 1, 0)
    whole = Survey((survey,), "2026-01-01")
    (kit,) = to_json(whole, "0")["kits"]
    configs = {c["path"]: c["verdicts"] for r in kit["rows"] for c in r["configs"]}
    of_other = {v["source"]: v for v in configs[OTHER] if v["mode"] == "ast"}
    assert of_other[SAME]["same_as"] == ANN
    assert all("same_as" not in v for v in configs[ANN])
    for template in ("survey.md", "survey.html"):
        for language, words in (("en", f"as {ANN}"), ("zh", f"计算相同于 {ANN}")):
            text = Document(whole, language, Links(tmp_path, tmp_path, tmp_path)).render(template)
            assert words in text
            assert "1+1/2" in text


def test_a_row_without_a_run_has_a_sign_of_its_own(surveyed: Callable[[], KitSurvey]) -> None:
    row = next(row for row in surveyed().rows if row.name == "ANN")
    for verdict, sign in ((Verdict.PASS, "alike"), (Verdict.FAILS, "unlike")):
        said: Verdicts = {ANN: (ConfigVerdict("ast", "3.3.1", verdict, SAME, same_as="c.yml"),)}
        made = cell(replace(row, verdicts=said), "ast", "3.3.1")
        assert (made.sign, made.ran) == (sign, 0)
