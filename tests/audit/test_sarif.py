"""SARIF logs: valid by a model of the standard, and with what code hosts need."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from pydantic import ValidationError
from sarif_pydantic import Sarif

from codemod.audit.findings import Finding, Level, ProvedFix, Replacement
from codemod.audit.kinds import kinds
from codemod.audit.sarif import to_sarif
from codemod.audit.suppression import Suppressed, Suppression
from codemod.base.reason import Reason

FOUND = (
    Finding(
        "hook-on-wrapper",
        Level.ERROR,
        "a b/c#1%.py",
        3,
        Reason.said("It is so."),
        (Reason.said("Do this."),),
    ),
    Finding("D-05 int-tensor", Level.NOTE, "configs/v++.yml", None, Reason.said("It is so.")),
    Finding("not-hooked", Level.WARNING, "训练.py", 1, Reason.said("It is so.")),
)
QUIET = Finding("not-hooked", Level.WARNING, "old.py", 7, Reason.said("It is so."))
JUDGED = Suppressed(FOUND, ((QUIET, Suppression("old.py", 6, ("not-hooked",), "It is going.")),))


def test_the_log_is_valid() -> None:
    read = Sarif.model_validate(to_sarif([(JUDGED, FOUND[:1]), (Suppressed((), ()), ())]))
    assert [len(run.results or []) for run in read.runs] == [4, 0]


def test_the_standard_s_model_refuses_what_is_wrong() -> None:
    log = to_sarif([(JUDGED, FOUND)])
    log["runs"][0]["results"][0]["level"] = "fatal"
    with pytest.raises(ValidationError):
        Sarif.model_validate(log)


def test_every_result_has_its_rule_a_level_and_a_region() -> None:
    (only,) = to_sarif([(JUDGED, FOUND[:1])])["runs"]
    rules = only["tool"]["driver"]["rules"]
    for result in only["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert rule["name"] and rule["shortDescription"]["text"] and rule["help"]["text"]
        assert rule["defaultConfiguration"]["level"] in {"error", "warning", "note"}
        (place,) = (one["physicalLocation"] for one in result["locations"])
        assert place["region"]["startLine"] >= 1
    assert [result["level"] for result in only["results"]] == [
        "error",
        "note",
        "warning",
        "warning",
    ]
    assert [r["baselineState"] for r in only["results"]][:2] == ["new", "unchanged"]
    (bare,) = to_sarif([(JUDGED, None)])["runs"]
    assert not [r for r in bare["results"] if "baselineState" in r], "nothing to compare with"
    assert only["results"][0]["message"]["text"] == "It is so. Do this."


def test_paths_are_uri_references() -> None:
    (only,) = to_sarif([(JUDGED, FOUND)])["runs"]
    for result, finding in zip(only["results"], (*FOUND, QUIET), strict=True):
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        assert uri.isascii() and not urlsplit(uri).scheme and not uri.startswith("/")
        assert unquote(uri) == finding.file


def test_what_a_comment_suppresses_is_marked_with_its_reason() -> None:
    (only,) = to_sarif([(JUDGED, FOUND)])["runs"]
    marked = [result["suppressions"] for result in only["results"] if "suppressions" in result]
    assert marked == [[{"kind": "inSource", "justification": "It is going."}]]


def test_a_fingerprint_stays_where_lines_move_and_tells_equal_ones_apart() -> None:
    def prints(*lines: int) -> list[str]:
        made = tuple(
            Finding("D-01", Level.NOTE, "a.py", line, Reason.said(f"As in line {line}."))
            for line in lines
        )
        (only,) = to_sarif([(Suppressed(made, ()), None)])["runs"]
        return [result["partialFingerprints"]["codemodFinding/v3"] for result in only["results"]]

    assert prints(3, 9) == prints(4, 20)
    assert len(set(prints(3, 9))) == 2
    (only,) = to_sarif([(JUDGED, None)])["runs"]
    assert len({str(r["partialFingerprints"]) for r in only["results"]}) == 4


def test_rules_name_their_page_where_the_guides_have_an_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (bare,) = to_sarif([(JUDGED, None)])["runs"]
    assert not [rule for rule in bare["tool"]["driver"]["rules"] if "helpUri" in rule]
    monkeypatch.setenv("CODEMOD_HELP", "https://example.invalid/o/tool/blob/v1/docs/")
    log = to_sarif([(JUDGED, None)])
    Sarif.model_validate(log)
    pages = {rule["id"]: rule["helpUri"] for rule in log["runs"][0]["tool"]["driver"]["rules"]}
    assert pages["D-05"] == "https://example.invalid/o/tool/blob/v1/docs/hazards.md"
    assert pages["not-hooked"] == "https://example.invalid/o/tool/blob/v1/docs/check.md#kinds"
    for page in pages.values():
        name, _, anchor = page.rpartition("/")[2].partition("#")
        text = (Path(__file__).parent.parent.parent / "docs" / name).read_text(encoding="utf-8")
        assert not anchor or f"\n## {anchor.capitalize()}\n" in text


def test_every_kind_has_words() -> None:
    assert {"not-hooked", "config-blocked", "D-01"} <= kinds().keys()
    for kind in kinds().values():
        assert kind.summary.endswith(".") and kind.help


def test_a_proved_fix_is_an_object_of_the_standard() -> None:
    lines = (Replacement("a b/net.py", 4, 5, "y = x\n"), Replacement("c.py", 1, 1, "z = 1\n"))
    fix = ProvedFix("codemod fix K -c c.yml", Reason.said("Copy it.", "复制它。"), lines)
    finding = Finding(
        "D-57 inplace-view", Level.NOTE, "a b/net.py", 4, Reason.said("It is so."), (), fix
    )
    log = to_sarif([(Suppressed((finding,), ()), ())])
    result = (Sarif.model_validate(log).runs[0].results or [])[0]
    assert len((result.fixes or [])[0].artifact_changes) == 2
    (read,) = log["runs"][0]["results"][0]["fixes"]
    assert read["description"]["text"] == "Copy it. (codemod fix K -c c.yml)"
    first = read["artifactChanges"][0]
    assert first["artifactLocation"] == {"uri": "a%20b/net.py"}
    region = {"startLine": 4, "startColumn": 1, "endLine": 6, "endColumn": 1}
    assert first["replacements"] == [
        {"deletedRegion": region, "insertedContent": {"text": "y = x\n"}}
    ]
    del read["artifactChanges"][0]["replacements"]
    with pytest.raises(ValidationError):
        Sarif.model_validate(log)
