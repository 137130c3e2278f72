"""The documents: both languages, links, escapes, CSV and JSON that can be read again."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING

import pytest

from codemod.base.reason import Reason
from codemod.reports.survey.pages import files
from codemod.reports.survey.pages.changes import RowChange, changes, read_survey
from codemod.reports.survey.pages.document import (
    SUMMARY_LEGEND,
    Document,
    Survey,
    by_family,
    summary,
    to_json,
)
from codemod.reports.survey.pages.links import Links
from codemod.reports.survey.pages.reading import survey_of
from codemod.reports.survey.pages.sheet import to_csv
from codemod.reports.survey.pages.totals import totals
from codemod.reports.survey.pages.view import row_view
from codemod.reports.survey.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.reports.survey.rows import KitSurvey

ANN = "configs/ann/ann_a.yml"
BAD = {"ast": {"verdict": "fails", "reason": "a < b | c"}, "sot": {"verdict": "pass", "reason": ""}}
CODE = "https://github.com/PaddlePaddle/PaddleSeg/blob/" + "d" * 40 + "/"


@pytest.fixture
def survey(surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]) -> Survey:
    keep("results", "a", ANN, modes=BAD, report="a.html").with_name("a.html").write_text("page")
    return Survey((surveyed(),), "2026-01-02")


def links(tmp_path: Path) -> Links:
    return Links(tmp_path / "docs", tmp_path / "ws", tmp_path)


class _Page(HTMLParser):
    """Collects what a page holds, and that its tags close."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[dict[str, str | None]] = []
        self.links: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        fields = dict(attrs)
        if tag == "tr" and "data-keys" in fields:
            self.rows.append(fields)
        if tag == "a" and fields.get("href"):
            self.links.append(fields["href"] or "")
        if tag not in ("meta", "br", "input"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_page_has_a_row_a_family_and_links_to_the_evidence(
    survey: Survey, tmp_path: Path, language: str
) -> None:
    page = _Page(Document(survey, language, links(tmp_path)).render("survey.html"))
    assert page.open == []
    assert len(page.rows) == len(survey.kits[0].rows)
    ann = next(row for row in page.rows if row["id"] == "paddleseg-ann")
    assert set((ann["data-keys"] or "").split()) >= {"ast@2.6.2:no", "sot@2.6.2:yes"}
    assert "../ws/results/PaddleSeg/a.html" in page.links
    assert f"{CODE}paddleseg/models/nets.py#L23" in page.links
    assert f"{CODE}README.md#L3" in page.links


def test_the_page_needs_nothing_from_elsewhere(survey: Survey, tmp_path: Path) -> None:
    text = Document(survey, "en", links(tmp_path)).render("survey.html")
    assert "src=" not in text
    assert 'href="survey' not in text
    assert "<link" not in text
    assert "@import" not in text
    assert "a &lt; b | c" in text


def test_markdown_keeps_its_columns(survey: Survey, tmp_path: Path) -> None:
    text = Document(survey, "zh", links(tmp_path)).render("survey.md")
    assert text.startswith("# 待支持动转静模型列表文档\n")
    table = [line for line in text.splitlines() if line.startswith("| ")]
    bars = [line.replace("\\|", "").count("|") for line in table if "paddleseg" not in line]
    assert set(bars) <= {8, 10, 12}
    row = next(line for line in table if line.startswith("| **ANN**"))
    assert "2.6.2 ✗ 1+1/2" in row
    assert "转静失败: a &lt; b \\| c" in row
    assert "[3](#e-paddleseg-ann)" in row
    assert '<a id="e-paddleseg-ann"></a>' in text


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", f"Changed in Paddle 3.1.1 · {ANN}: SOT bit-equal (3.0.0) → fails"),
        ("zh", f"变化始于 Paddle 3.1.1 · {ANN}: SOT 逐位一致 (3.0.0) → 转静失败"),
    ],
)
def test_what_changed_between_the_columns_releases_is_told(
    surveyed: Callable[[], KitSurvey],
    keep: Callable[..., Path],
    tmp_path: Path,
    language: str,
    said: str,
) -> None:
    fails = {**BAD, "sot": {"verdict": "fails", "reason": "x"}}
    for paddle, modes in (("2.6.2", BAD), ("3.0.0", BAD), ("3.1.1", fails), ("3.3.1", fails)):
        keep("probes", paddle, ANN, paddle=paddle, modes=modes)
    survey = Survey((surveyed(),), "2026-01-02")
    text = Document(survey, language, links(tmp_path)).render("survey.md")
    # AST fails on all of them.
    start = said.partition(" Paddle")[0]
    assert [line for line in text.splitlines() if start in line] == [f"- {said}"]


def test_a_trainers_run_is_not_held_against_a_probes(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path], tmp_path: Path
) -> None:
    for paddle in ("2.6.2", "3.0.0", "3.3.1"):
        keep("probes", paddle, ANN, paddle=paddle, modes=BAD)
    keep("results", "parity", ANN, paddle="3.3.1")
    survey = Survey((surveyed(),), "2026-01-02")
    text = Document(survey, "en", links(tmp_path)).render("survey.md")
    assert "parity · Paddle 3.3.1" in text
    assert "Changed in" not in text


def test_what_differs_between_the_columns_alone_is_not_told_again(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path], tmp_path: Path
) -> None:
    keep("probes", "a", ANN)
    keep("probes", "b", ANN, paddle="3.3.1", modes=BAD)
    survey = Survey((surveyed(),), "2026-01-02")
    assert "Changed in" not in Document(survey, "en", links(tmp_path)).render("survey.md")


def test_results_that_are_not_handed_on_are_not_linked(survey: Survey, tmp_path: Path) -> None:
    apart = Links(tmp_path / "docs", tmp_path / "ws", tmp_path / "docs")
    text = Document(survey, "en", apart).render("survey.html")
    assert "../ws" not in text
    assert "<li>configs/ann/ann_a.yml: <b>bit-equal</b> <small>parity" in text


def test_a_cell_opens_its_evidence(survey: Survey, tmp_path: Path) -> None:
    kit = survey.kits[0]
    row = next(row for row in kit.rows if row.name == "ANN")
    ann = row_view(kit, row, Words("en"), links(tmp_path))
    cell = next(cell for cell in ann.cells["ast"] if cell.paddle == "2.6.2")
    assert (cell.share, cell.shared) == (
        "1+1/2",
        "1 of 2 were run; 1 more build the same as one of these.",
    )
    run, same = cell.evidence
    assert (run.label, run.verdict, run.reason) == (ANN, "fails", "a < b | c")
    assert run.facts == "parity · on cpu"
    assert run.href == "../ws/results/PaddleSeg/a.html"
    assert same.label == f"as {ANN}" and same.facts == "configs/ann/ann_b.yml"


def test_a_page_leads_to_the_other_language(survey: Survey, tmp_path: Path) -> None:
    files.write(survey, files.outputs(tmp_path, "zh", folder=True), tmp_path)
    for language, other in (("en", "zh"), ("zh", "en")):
        text = (tmp_path / f"survey.{language}.html").read_text("utf-8")
        assert f'<a href="survey.{other}.html" lang=' in text
    files.write(survey, files.outputs(tmp_path / "one.en.html", "zh", folder=False), tmp_path)
    assert "<nav></nav>" in (tmp_path / "one.en.html").read_text("utf-8")


def test_the_totals_by_family_count_the_plan(survey: Survey) -> None:
    found = by_family(survey.kits[0].rows)
    plan = [row for row in survey.kits[0].rows if row.plan]
    assert (found.families, found.ran, found.equal) == (len(plan), 1, {"2.6.2": 1, "3.3.1": 0})
    there = sum(found.signs["ast", "2.6.2"].values())
    assert 0 < there < len(plan), "a family that moved away has no sign"


def test_the_console_s_table_fits_eighty_columns(survey: Survey) -> None:
    lines = [
        *summary(survey),
        ("PaddleDetection", "235", "235", "235", "235", "2191", "1685 → 2052"),
    ]
    # A table's cells have a blank at either side and a bar between.
    assert sum(max(map(len, column)) + 3 for column in zip(*lines, strict=True)) + 1 <= 80
    assert all(len(line) <= 80 for line in SUMMARY_LEGEND)


def test_a_survey_comes_back_from_its_json(survey: Survey, tmp_path: Path) -> None:
    files.write(survey, files.outputs(tmp_path / "s.json", "zh", folder=False), tmp_path)
    again = survey_of(read_survey(tmp_path / "s.json"))
    assert to_json(again, "") == to_json(survey, "")
    assert again.kits == survey.kits


def test_a_verdict_of_speed_comes_back_as_a_reason(survey: Survey) -> None:
    told = Reason.of("judging.speed-slower", device="cpu", threads=1, times="0.63")
    kit = survey.kits[0]
    row = next(row for row in kit.rows if row.verdicts)
    timed = {
        path: tuple(replace(one, speed=told) for one in row.verdicts[path]) for path in row.verdicts
    }
    rows = tuple(replace(one, verdicts=timed) if one is row else one for one in kit.rows)
    made = replace(survey, kits=(replace(kit, rows=rows), *survey.kits[1:]))
    again = survey_of(json.loads(json.dumps(to_json(made, ""))))
    assert again.kits == made.kits


def test_code_is_linked_at_a_commit_alone() -> None:
    assert (
        Links.code("https://h/K.git", "d" * 40, "a.py:3") == f"https://h/K/blob/{'d' * 40}/a.py#L3"
    )
    assert Links.code("https://h/K", "2.6.0", "a.py:3") == ""
    assert Links.code("git@h:K", "d" * 40, "a.py:3") == ""


def test_the_sheet_has_a_line_a_config_and_one_a_family_without(survey: Survey) -> None:
    text = to_csv(survey)
    assert text.startswith("\ufeff")
    lines = list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))
    kit = survey.kits[0]
    assert len(lines) == sum(max(1, len(row.units)) for row in kit.rows)
    ann = next(line for line in lines if line["config"] == ANN)
    assert ann["ast_2.6.2_verdict"] == "fails"
    assert ann["ast_2.6.2_source"] == "parity"
    assert ann["ast_2.6.2_evidence"] == "results/PaddleSeg/a.html"
    assert ann["sot_3.3.1_source"] == "hazards"
    assert ann["reaches_hook"] == "yes"
    gone = next(line for line in lines if line["family"] == "SegNeXt")
    assert (gone["state"], gone["why_not"], gone["config"]) == ("moved", "README.md:3", "")


def test_a_family_without_a_config_shows_the_runs_of_its_code(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path], tmp_path: Path
) -> None:
    keep("probes", "e", "EISeg/eiseg/app.py", modes=BAD)
    survey = Survey((surveyed(),), "2026-01-02")
    lines = list(csv.DictReader(io.StringIO(to_csv(survey).removeprefix("\ufeff"))))
    (line,) = [line for line in lines if line["family"] == "EISeg"]
    assert (line["config"], line["state"]) == ("EISeg/eiseg/app.py", "code-only")
    assert (line["ast_2.6.2_verdict"], line["ast_2.6.2_source"]) == ("fails", "probe")
    assert (line["sot_2.6.2_verdict"], line["sot_3.3.1_verdict"]) == ("pass", "")
    text = Document(survey, "en", links(tmp_path)).render("survey.md")
    row = next(line for line in text.splitlines() if line.startswith("| **EISeg**"))
    assert row.count("2.6.2 ✓") == 2, "in dynamic mode and in SOT"
    assert "2.6.2 ✗" in row
    assert "code alone at this revision" in row
    assert "AST 2.6.2: fails: a &lt; b \\| c" in row


def test_json_holds_all_and_says_the_totals(survey: Survey) -> None:
    data = json.loads(files.as_json(survey))
    (kit,) = data["kits"]
    assert len(kit["rows"]) == len(survey.kits[0].rows)
    configs = [config for row in kit["rows"] for config in row["configs"]]
    assert {config["path"] for config in configs} >= {ANN, "configs/odd/odd.yml"}
    assert kit["totals"]["configs"] == 3
    assert kit["totals"]["more"] == 1
    assert kit["totals"]["modes"]["ast@2.6.2"]["ran"] == 1
    assert kit["unreadable"].keys() == {"configs/lost/lost.yml"}
    assert all(v["source"] and "verdict" in v for c in configs for v in c["verdicts"])


def test_totals_add_up(survey: Survey) -> None:
    found = totals(survey.kits[0].rows)
    assert (found.units, found.configs, found.more, found.scripts) == (4, 3, 1, 0)
    assert (found.hooked, found.after) == (3, 3)
    for tally in found.modes.values():
        known = tally.ran + tally.alike + tally.unlike + tally.at_risk + tally.clear
        assert known + tally.unknown == found.units


def test_changes_between_two_surveys(
    survey: Survey, surveyed: Callable[[], KitSurvey], keep: Callable[..., Path], segkit: Path
) -> None:
    old = json.loads(files.as_json(survey))
    assert changes(old, to_json(survey, "")) == []
    keep("results", "a", ANN)
    (segkit / "configs/ann/ann_c.yml").write_text("_base_: ann_a.yml\n")
    (segkit / "configs/odd/odd.yml").unlink()
    new = to_json(replace(survey, kits=(surveyed(),)), "")
    found = changes(old, new)
    assert RowChange("PaddleSeg", "ANN", "row", "configs", "2", "3") in found
    assert RowChange("PaddleSeg", "ANN", "verdict", f"{ANN} ast 2.6.2", "fails", "pass") in found
    assert RowChange("PaddleSeg", "odd", "row", "", "trains", "") in found


def test_a_run_s_losses_are_drawn_in_its_evidence_and_read_back(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path], tmp_path: Path
) -> None:
    loss = [3.0, 2.0, None, 1.0, 0.5]
    curves = {
        side: {"loss": loss, "loss_difference": [], "grad_difference": []}
        for side in ("dynamic", "ast")
    }
    keep("results", "a", ANN, curves=curves)
    survey = Survey((surveyed(),), "2026-01-02")
    file = tmp_path / "survey.json"
    file.write_text(json.dumps(to_json(survey, "0")), encoding="utf-8")
    for one in (survey, survey_of(read_survey(file))):
        for language, words in (("en", "The curve was not kept."), ("zh", "曲线未保留。")):
            page = Document(one, language, links(tmp_path)).render("survey.html")
            _Page(page)
            # AST on this Paddle alone: two sides, each in two stretches around the gap.
            assert page.count('<svg class="curve"') == 1 and page.count("<polyline") == 4
            assert page.count(words) == 1, "SOT was run and its losses were not kept"
