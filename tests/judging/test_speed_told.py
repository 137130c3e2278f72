"""Where a verdict of speed is told: report, survey, pull request, check."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.audit.kinds import kinds
from codemod.audit.model_findings import slow_findings
from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason
from codemod.experiments.parity.pages import in_language
from codemod.experiments.parity.parity_job import publish, tell_speed
from codemod.judging.evidence.result import ModeResult, ParityPart, Result
from codemod.judging.evidence.speed_rows import keep_speed
from codemod.judging.speed.speed import SpeedVerdict
from codemod.judging.verdict import Verdict
from codemod.reports.pullrequest.claims.speed_lines import speed_lines
from codemod.reports.survey import verdicts
from codemod.reports.survey.rows import ConfigVerdict
from codemod.reports.survey.verdicts import with_speed
from tests.judging.test_timings import row

if TYPE_CHECKING:
    from pathlib import Path

TINY = Reason.of("judging.speed-tiny", operators=8)
DENSE = Reason.of("judging.speed-dense", names=("Net.table.weight",))
SLOW = replace(row(), revision="abc", said=(TINY, DENSE), causes=(TINY, DENSE))


def test_a_pull_request_never_offers_a_slower_hook_without_saying_so() -> None:
    faster = replace(row(SpeedVerdict.FASTER), config="b.yml")
    tally, told = speed_lines([faster, SLOW])
    assert "1 faster, 1 slower" in str(tally)
    assert "1 次更快、1 次更慢" in tally.text("zh")
    for part in ("`a.yml` in AST on Paddle 3.3.1 is slower: 0.50 times", "cpu", "8 operators"):
        assert part in str(told)
    assert "8 个算子" in told.text("zh")
    assert speed_lines([]) == []


def test_the_result_page_tells_it_once_it_was_timed(tmp_path: Path) -> None:
    place = Workspace.at(tmp_path / "ws")
    file = place.make("results", "Kit") / "one.json"
    mode = ModeResult(Verdict.PASS)
    publish(file, Result("Kit", "a.yml", "3.3.1", {"ast": mode}, device="cpu", parity=ParityPart()))
    page = file.with_suffix(".html")
    assert "0.50 times as fast" not in page.read_text()
    keep_speed(place, "Kit", [SLOW, replace(SLOW, config="other.yml")])
    tell_speed(place, [SLOW])
    assert page.read_text().count("0.50 times as fast") == 1
    assert "更慢" in in_language(page, "zh").read_text()


@pytest.mark.parametrize(("revision", "told"), [("abc", True), ("older", False)])
def test_a_cell_of_the_survey_has_the_speed_of_this_revision(revision: str, told: bool) -> None:
    verdict = ConfigVerdict("ast", "3.3.1", Verdict.PASS, "parity", figures={"device": "cpu"})
    tested = verdicts.Tested({"a.yml": (verdict, replace(verdict, mode="sot"))}, {}, 0, {})
    ast, sot = with_speed(tested, [replace(SLOW, revision=revision)], "abc").verdicts["a.yml"]
    assert (ast.speed is not None) == told
    assert sot.speed is None


def test_check_tells_what_holds_on_any_device_and_no_ratio() -> None:
    timed = [SLOW, replace(SLOW, mode="sot")]
    (finding,) = slow_findings(timed, "abc", ["a.yml"])
    assert finding.kind in kinds()
    assert finding.message == (
        "Timed in ast 3.3.1, sot 3.3.1: Gradients that hold a few rows in dynamic training are "
        "dense in static training, so every update walks the whole table: Net.table.weight."
    )
    assert "0.5" not in finding.message
    assert slow_findings(timed, "other", ["a.yml"]) == ()
    assert slow_findings(timed, "abc", ["b.yml"]) == ()


@pytest.mark.parametrize("verdict", SpeedVerdict)
def test_check_calls_nothing_slow_that_its_row_does_not(verdict: SpeedVerdict) -> None:
    """The graph breaks of ST-GCN were told as what makes it slow, and it is faster with them."""
    found = slow_findings([replace(SLOW, verdict=verdict)], "abc", ["a.yml"])
    assert bool(found) == (verdict is SpeedVerdict.SLOWER)
