"""Where a verdict comes from: parity before probes before the code, and never from nowhere."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from codemod.base.changeset import ChangeSet, Source
from codemod.code.tree import Tree
from codemod.judging.evidence.base import write_base
from codemod.judging.evidence.rows import EvidenceRow
from codemod.judging.verdict import Verdict
from codemod.judging.words import verdict_word
from codemod.kits.catalogue import find_kit
from codemod.kits.config_rule import config_rule
from codemod.kits.folder import adapter_version
from codemod.reports.survey.cells import best_of, cell
from codemod.reports.survey.families import catalogue
from codemod.reports.survey.grounds import Grounds, grounds
from codemod.reports.survey.inventory import take
from codemod.reports.survey.pages.totals import totals
from codemod.reports.survey.predictions import scanned
from codemod.reports.survey.rows import ConfigVerdict, Outlook, Row, RowState, Trainable
from codemod.reports.survey.words import Words

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.base.messages import Language
    from codemod.reports.survey.rows import KitSurvey

ANN = "configs/ann/ann_a.yml"
FAILS = {"ast": {"verdict": "fails", "reason": "no"}, "sot": {"verdict": "pass", "reason": ""}}


def said(survey: KitSurvey, path: str, mode: str, paddle: str = "2.6.2") -> tuple[str, str] | None:
    """Verdict and source of one config."""
    for row in survey.rows:
        for unit in row.units:
            if unit.path == path:
                alone = Row(row.id, "", "", True, "", RowState.TRAINS, (unit,), row.verdicts)
                found = list(best_of(alone, mode, paddle).values())
                return (found[0].verdict, found[0].source) if found else None
    return None


def test_the_code_speaks_where_nothing_was_run(surveyed: Callable[[], KitSurvey]) -> None:
    survey = surveyed()
    assert said(survey, ANN, "ast") == ("clear", "hazards")
    assert said(survey, "configs/odd/odd.yml", "ast", "3.3.1") == ("at-risk", "hazards")
    assert said(survey, ANN, "dynamic") is None
    odd = next(row for row in survey.rows if row.name == "odd")
    found = next(iter(best_of(odd, "ast", "3.3.1").values()))
    assert found.where == "paddleseg/models/nets.py:23"
    assert "Odd.forward" in found.reason


def test_parity_goes_before_a_probe(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    keep("probes", "a", ANN, also=["configs/ann/ann_b.yml"], modes=FAILS)
    assert said(surveyed(), ANN, "ast") == ("fails", "probe")
    assert said(surveyed(), "configs/ann/ann_b.yml", "ast") == ("fails", "probe")
    keep("results", "a", ANN, report="a.html")
    survey = surveyed()
    assert said(survey, ANN, "ast") == ("pass", "parity")
    assert said(survey, ANN, "dynamic") == ("runs", "parity")
    assert said(survey, "configs/ann/ann_b.yml", "ast") == ("fails", "probe")
    assert said(survey, ANN, "ast", "3.3.1") == ("clear", "hazards")


def test_the_newest_result_stays_and_one_that_did_not_run_hides_none(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    missing = {mode: {"verdict": "not-run", "reason": "no data"} for mode in ("ast", "sot")}
    for age, (name, modes) in enumerate((("a", FAILS), ("b", None), ("c", missing))):
        file = keep("results", name, ANN, **({"modes": modes} if modes else {}))
        os.utime(file, (1000 + age, 1000 + age))
    assert said(surveyed(), ANN, "ast") == ("pass", "parity")


def test_results_of_another_revision_or_broken_off_are_left_out(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    keep("results", "a", ANN, revision="e" * 40)
    keep("results", "b", ANN, interrupted=True)
    keep("probes", "a", ANN, edited={"paddleseg/models/ann.py": "0"})
    survey = surveyed()
    assert said(survey, ANN, "ast") == ("clear", "hazards")
    assert survey.stale == 2


def test_a_failing_reference_is_told_in_the_dynamic_column(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    modes = {m: {"verdict": "dynamic-fails", "reason": "kit's fault"} for m in ("ast", "sot")}
    keep("results", "a", ANN, modes=modes, dynamic={"outcome": "fails"})
    assert said(surveyed(), ANN, "dynamic") == ("dynamic-fails", "parity")


def test_a_reason_does_not_tell_the_machine_s_folders(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    reason = (
        "FileNotFoundError: '/home/me/kit/data/a.txt', see https://host/a/b and configs/a/b.yml"
    )
    modes = {mode: {"verdict": "fails", "reason": reason} for mode in ("ast", "sot")}
    keep("results", "a", ANN, modes=modes)
    row = next(row for row in surveyed().rows if row.name == "ANN")
    told = "FileNotFoundError: '…/a.txt', see https://host/a/b and configs/a/b.yml"
    assert next(iter(best_of(row, "ast", "2.6.2").values())).reason == told


def test_what_the_model_was_fed_is_kept(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    form = {
        "args": [["tensor", [4, 3, 8, 8], "float32"], {"a": ["int", 3]}],
        "kwargs": {"m": ["str", "x"]},
    }
    passed = {"verdict": "pass", "reason": "", "inputs": [form]}
    keep("results", "a", ANN, modes={"ast": passed, "sot": passed})
    units = {unit.path: unit for row in surveyed().rows for unit in row.units}
    assert units[ANN].inputs == "Tensor[4,3,8,8] float32, {a: int}, m=str"
    assert units[ANN].observed
    assert not units["configs/ann/ann_b.yml"].observed


def verdict_of(text: str, source: str) -> Verdict | Outlook:
    return Outlook(text) if source == "hazards" else Verdict(text)


def row_of(*found: tuple[str, str]) -> Row:
    """A row of configs, each with one verdict and its source; an empty one has none."""
    units = tuple(Trainable(str(n), "M", None, None, None) for n in range(len(found)))
    verdicts: dict[str, Any] = {
        str(n): (ConfigVerdict("ast", "2.6.2", verdict_of(verdict, source), source),)
        for n, (verdict, source) in enumerate(found)
        if verdict
    }
    return Row("r", "R", "R", True, "t", RowState.TRAINS, units, verdicts)


def test_the_sign_of_a_cell() -> None:
    expected = {
        "yes": (("pass", "parity"), ("pass-partial", "probe"), ("at-risk", "hazards")),
        "some": (("pass", "parity"), ("loss-differs", "probe")),
        "no": (("fails", "probe"), ("not-run", "probe")),
        "open": (("not-run", "probe"), ("dynamic-fails", "parity")),
        "risk": (("at-risk", "hazards"), ("clear", "hazards")),
        "clear": (("clear", "hazards"), ("", "")),
        "unknown": (("", ""),),
    }
    for sign, found in expected.items():
        assert cell(row_of(*found), "ast", "2.6.2").sign == sign
    mixed = cell(row_of(*expected["yes"]), "ast", "2.6.2")
    assert (mixed.ran, mixed.alike) == (2, 0)


def test_a_leg_after_training_is_in_the_legend_of_the_sign_that_it_makes() -> None:
    row = row_of(("pass", "parity"))
    (found,) = row.verdicts["0"]
    broken = replace(found, figures={"legs": "export"})
    sign = cell(replace(row, verdicts={"0": (broken,)}), "ast", "2.6.2").sign
    assert (cell(row, "ast", "2.6.2").sign, sign) == ("yes", "some")
    english, chinese = (Words(language)("symbols", sign) for language in ("en", "zh"))
    for said in ("evaluation", "export", "checkpoint"):
        assert said in english
    for said in ("评估", "导出", "检查点"):
        assert said in chinese


def test_a_run_that_failed_is_never_called_clear_for_its_code() -> None:
    row = row_of(("fails", "probe"))
    both = (*row.verdicts["0"], ConfigVerdict("ast", "2.6.2", Outlook.CLEAR, "hazards"))
    assert (
        cell(
            Row("r", "", "", True, "", RowState.TRAINS, row.units, {"0": both}), "ast", "2.6.2"
        ).sign
        == "no"
    )


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("verdict", list(Verdict))
def test_the_survey_has_the_judge_s_words(verdict: Verdict, language: Language) -> None:
    assert Words(language)("verdicts", verdict.value) == verdict_word(verdict, language)
    assert verdict.value not in Words(language).known("verdicts"), "told twice"


@pytest.fixture
def in_base(
    surveyed: Callable[[], KitSurvey],
    segkit: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., None]:
    """Put a probe of ANN at an older revision into the base of evidence."""
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path / "data"))
    (tmp_path / "data" / "evidence").mkdir(parents=True)
    kit = find_kit("PaddleSeg")
    made = ChangeSet(Source("PaddleSeg", segkit, "e" * 40), ())
    tree = Tree(segkit)
    found = take(kit, config_rule(kit), catalogue("PaddleSeg"), tree, made)
    digest = grounds(made, tree, found, scanned(tree, found.loaded)).digest(ANN)
    assert digest is not None

    def write(**fields: Any) -> None:
        row = EvidenceRow("PaddleSeg", ANN, "2.6.2", "ast", "probe", Verdict.PASS)
        row = replace(row, adapter=adapter_version("PaddleSeg") or 0, own_loss=True)
        row = replace(row, revision="e" * 40, rests_on=digest, date="2026-01-01T00:00:00+00:00")
        write_base(tmp_path / "data" / "evidence" / "PaddleSeg.jsonl", [replace(row, **fields)])

    return write


def test_the_base_speaks_of_an_older_revision_while_nothing_reached_has_changed(
    surveyed: Callable[[], KitSurvey], in_base: Callable[..., None], segkit: Path
) -> None:
    in_base()
    assert said(surveyed(), ANN, "ast") == ("pass", "probe")
    assert said(surveyed(), ANN, "dynamic") == ("runs", "probe")
    (segkit / "README.md").write_text("Other words.\n")
    assert said(surveyed(), ANN, "ast") == ("pass", "probe"), "no model reads that file"
    assert surveyed().stale == 0


@pytest.mark.parametrize(
    "file", ["paddleseg/models/nets.py", "configs/_base_/data.yml", "configs/ann/ann_a.yml"]
)
def test_a_row_is_out_of_date_once_a_file_that_it_rests_on_has_changed(
    surveyed: Callable[[], KitSurvey], in_base: Callable[..., None], segkit: Path, file: str
) -> None:
    in_base()
    with (segkit / file).open("a") as text:
        text.write("# another line\n")
    assert said(surveyed(), ANN, "ast") == ("clear", "hazards")
    assert surveyed().stale == 1


def test_without_a_digest_a_row_is_good_at_its_revision_alone(
    surveyed: Callable[[], KitSurvey], in_base: Callable[..., None]
) -> None:
    in_base(rests_on=None)
    assert said(surveyed(), ANN, "ast") == ("clear", "hazards")
    in_base(rests_on=None, revision="d" * 40)
    assert said(surveyed(), ANN, "ast") == ("pass", "probe")


def test_of_the_base_and_the_workspace_the_newer_speaks(
    surveyed: Callable[[], KitSurvey], in_base: Callable[..., None], keep: Callable[..., Path]
) -> None:
    fails = {mode: {"verdict": "fails", "reason": ""} for mode in ("ast", "sot")}
    keep("probes", "a", ANN, modes=fails, date="2026-01-02T00:00:00+00:00")
    in_base()
    assert said(surveyed(), ANN, "ast") == ("fails", "probe")
    in_base(date="2026-01-03T00:00:00+00:00")
    assert said(surveyed(), ANN, "ast") == ("pass", "probe")
    in_base(date="2026-01-01T00:00:00+00:00", kind="parity", steps=50)
    assert said(surveyed(), ANN, "ast") == ("pass", "parity"), "parity counts more"


def test_processes_that_cannot_train_together_hide_no_run_of_one(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    def run(name: str, verdict: str, outcome: str, **fields: Any) -> None:
        modes = {mode: {"verdict": verdict, "reason": ""} for mode in ("ast", "sot")}
        keep("results", name, ANN, modes=modes, dynamic={"outcome": outcome}, **fields)

    run("a", "pass", "ok", device="cpu", date="2026-01-01T00:00:00+00:00")
    run("b", "dynamic-fails", "fails", device="2xcpu", date="2026-01-02T00:00:00+00:00")
    assert said(surveyed(), ANN, "ast") == ("pass", "parity")
    assert said(surveyed(), ANN, "dynamic") == ("runs", "parity")
    run("b", "fails", "ok", device="2xcpu", date="2026-01-02T00:00:00+00:00")
    assert said(surveyed(), ANN, "ast") == ("pass", "parity"), "a trainer may refuse it for several"
    run("b", "state-differs", "ok", device="2xcpu", date="2026-01-02T00:00:00+00:00")
    assert said(surveyed(), ANN, "ast") == ("state-differs", "parity"), "that is of the hook"
    run("b", "dynamic-fails", "fails", device="cpu", date="2026-01-02T00:00:00+00:00")
    assert said(surveyed(), ANN, "ast") == ("dynamic-fails", "parity"), "one process, the newer"
    assert said(surveyed(), ANN, "dynamic") == ("dynamic-fails", "parity")


def test_a_trainer_that_stops_with_the_hook_off_hides_no_probe(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    def modes(verdict: str) -> dict[str, Any]:
        return {mode: {"verdict": verdict, "reason": ""} for mode in ("ast", "sot")}

    keep("probes", "a", ANN, modes=modes("fails"))
    stopped = {"modes": modes("dynamic-fails"), "dynamic": {"outcome": "fails"}}
    keep("results", "b", ANN, **stopped)
    assert said(surveyed(), ANN, "ast") == ("fails", "probe")
    assert said(surveyed(), ANN, "dynamic") == ("runs", "probe")
    keep("probes", "a", ANN, modes=modes("not-run"), dynamic={"outcome": "timeout"})
    assert said(surveyed(), ANN, "ast") == ("dynamic-fails", "parity"), "neither ran: the trainer"


OWN_NET = "EISeg/eiseg/net.py"


@pytest.fixture
def code_in_base(segkit: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A family's model code with a probe of it at an older revision; the file it inherits from."""
    monkeypatch.setenv("CODEMOD_DATA", str(tmp_path / "data"))
    base = segkit / "EISeg/eiseg/base.py"
    base.write_text(
        "import paddle.nn as nn\n\n\nclass Base(nn.Layer):\n"
        "    def forward(self, x):\n        return x\n"
    )
    (segkit / OWN_NET).write_text("from .base import Base\n\n\nclass Net(Base):\n    pass\n")
    digest = Grounds(Tree(segkit), None, {}).digest(OWN_NET)
    assert digest is not None
    row = EvidenceRow("PaddleSeg", OWN_NET, "2.6.2", "ast", "probe", Verdict.FAILS, reason="no")
    row = replace(row, adapter=adapter_version("PaddleSeg") or 0)
    row = replace(row, revision="e" * 40, rests_on=digest, date="2026-01-01T00:00:00+00:00")
    write_base(tmp_path / "data" / "evidence" / "PaddleSeg.jsonl", [row])
    return base


def test_runs_of_a_family_s_code_are_joined_to_its_row(
    surveyed: Callable[[], KitSurvey], code_in_base: Path
) -> None:
    survey = surveyed()
    row = next(row for row in survey.rows if row.name == "EISeg")
    assert (row.state, row.units, row.code) == (RowState.CODE_ONLY, (), (OWN_NET,))
    assert [v.verdict for v in list(best_of(row, "ast", "2.6.2").values())] == ["fails"]
    assert [v.verdict for v in list(best_of(row, "dynamic", "2.6.2").values())] == ["runs"]
    assert totals(survey.rows).modes["ast", "2.6.2"].ran == 0, "totals count configs"
    told = next(r for r in survey.to_json()["rows"] if r["name"] == "EISeg")["code"]
    assert [(one["path"], one["verdicts"][0]["verdict"]) for one in told] == [(OWN_NET, "fails")]


def test_a_row_of_code_is_out_of_date_once_what_its_layers_reach_has_changed(
    surveyed: Callable[[], KitSurvey], code_in_base: Path
) -> None:
    code_in_base.write_text(code_in_base.read_text() + "# another line\n")
    survey = surveyed()
    assert next(row for row in survey.rows if row.name == "EISeg").code == ()
    assert survey.stale == 1


def test_code_that_is_not_there_has_no_digest(segkit: Path) -> None:
    assert Grounds(Tree(segkit), None, {}).digest("EISeg/eiseg/lost.py") is None
    assert Grounds(Tree(segkit), None, {}).digest("configs/lost/lost.yml") is None


def test_a_placeholder_loss_is_told_and_hides_no_loss_of_the_kit_s(
    surveyed: Callable[[], KitSurvey], keep: Callable[..., Path]
) -> None:
    keep("probes", "a", ANN, own_loss=False)
    assert said(surveyed(), ANN, "ast") == ("pass", "placeholder")
    keep("probes", "b", ANN, modes={"ast": {"verdict": "fails", "reason": ""}})
    keep("probes", "c", ANN, own_loss=False)
    assert said(surveyed(), ANN, "ast") == ("fails", "probe")
    keep("probes", "d", ANN, grade="step")
    assert said(surveyed(), ANN, "ast") == ("pass", "step")
