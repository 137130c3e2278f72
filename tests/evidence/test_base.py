"""The base of evidence: rows of real results, merging, checking, and the commands."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from bench.attack import shared_faults, writers
from codemod.base.files import data_folder
from codemod.base.files.data_folder import data_path
from codemod.base.reason import Reason
from codemod.cli.main import run
from codemod.judging.evidence import base
from codemod.judging.evidence.line_files import FileLines
from codemod.judging.evidence.result import ModeResult, ProbePart, Result, source_of
from codemod.judging.evidence.result_files import from_content, write_result
from codemod.judging.evidence.rows import (
    EvidenceRow,
    RowHazard,
    from_line,
    rows_of,
    without_folders,
)
from codemod.judging.verdict import Explanation, FirstDifference, Verdict
from tests.evidence.test_result_files import OLD_PARITY, OLD_PROBE

if TYPE_CHECKING:
    from pathlib import Path

DATE = "2026-01-02T03:04:05+00:00"


@pytest.fixture
def data(shipped: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The user's own data folder: the base is written there. The tool's own has one row."""
    base.write_base(shipped / "evidence" / "PaddleClas.jsonl", [row(config="shipped.yaml")])
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("CODEMOD_DATA", str(folder))
    # A workspace of the checkout's own holds kits against which rows would be held.
    monkeypatch.chdir(tmp_path)
    return folder


def row(**fields: Any) -> EvidenceRow:
    first = next(iter(rows_of(from_content(OLD_PROBE), DATE, "abc")))
    return replace(first, **fields)


def test_families_are_told_by_probes_that_ran(data: Path) -> None:
    rows = [
        row(config="a.yml", family="resnet", paddle="3.3.1"),
        row(config="b.yml", family="swin", paddle="3.3.1", dynamic="timeout"),
        row(config="c.yml", family="vgg", paddle="2.6.2"),
        row(config="d.yml", family="", kind="parity", paddle="3.3.1"),
    ]
    base.write_base(data / "evidence" / f"{rows[0].kit}.jsonl", rows)
    assert base.told_families(rows[0].kit, "3.3.1") == {"resnet"}


def test_a_run_that_was_judged_again_replaces_itself() -> None:
    before = row(verdict=Verdict.STATE_DIFFERS, kind="parity")
    after = replace(before, verdict=Verdict.PASS)
    assert base.merge([before], [after]) == (after,)
    other = replace(after, date="2026-01-02T04:00:00+00:00")
    assert base.contradictions(base.merge([before], [other])), "another run is another witness"
    probes = [replace(one, kind="probe") for one in (before, after)]
    assert base.contradictions(base.merge(probes[:1], probes[1:])), "probes keep no records"


def test_a_parity_result_becomes_a_row_a_mode() -> None:
    ast, sot = rows_of(from_content(OLD_PARITY), DATE, "abc")
    assert (ast.mode, ast.verdict, ast.kind, ast.steps) == (
        "ast",
        Verdict.GRADIENT_DIFFERS,
        "parity",
        50,
    )
    assert ast.hazard == RowHazard("D-1", "net.py", 3)
    assert ast.first is not None and ast.first.name == "w"
    assert (ast.hook, ast.options, ast.rests_on, ast.date) == ("abc", ("a=1",), "abc", DATE)
    assert (sot.verdict, sot.reason) == (Verdict.NOT_RUN, "Interrupted.")


def test_a_row_keeps_the_executed_lines_of_the_change_alone() -> None:
    lines = {"train.py": "12 1-3", "package/own.py": "34 5"}
    content = {**OLD_PARITY, "ran": {"dynamic": lines, "ast": lines}, "changed": ["train.py"]}
    ast, _ = rows_of(from_content(content), DATE, "abc")
    assert (ast.off, ast.ran) == ({"train.py": "12 1-3"},) * 2
    # On a branch, whose commits hold the change, nothing differs from the revision.
    committed, _ = rows_of(from_content({**content, "changed": []}), DATE, "abc")
    assert committed.ran == lines


def test_a_row_keeps_the_losses_of_both_sides_and_a_row_without_stays_good() -> None:
    curve = {"loss": [2 / 3, None, *range(60)], "loss_difference": [], "grad_difference": []}
    content = {**OLD_PARITY, "curves": dict.fromkeys(("dynamic", "ast"), curve)}
    ast, sot = rows_of(from_content(content), DATE, "abc")
    assert set(ast.losses) == {"dynamic", "ast"}
    assert ast.losses["ast"][:3] == (0.666667, None, 0) and len(ast.losses["ast"]) == 50
    assert sot.losses == {}, "it was not trained"
    again = from_line(ast.to_line()).to_result()
    assert again.parity is not None and again.parity.curves["ast"].loss == ast.losses["ast"]
    before = replace(ast, losses={})
    assert from_line(before.to_line()) == before and before.ground == ast.ground


def test_a_row_is_read_back_from_its_line_and_is_a_result() -> None:
    for result in (from_content(OLD_PARITY), from_content(OLD_PROBE)):
        for one in rows_of(result, DATE, None):
            assert from_line(one.to_line()) == one
            again = one.to_result()
            assert (again.kind, again.configs) == (result.kind, result.configs)
            was = result.modes[one.mode]
            now = again.modes[one.mode]
            assert (now.verdict, now.grad_max_rel, now.first) == (
                was.verdict,
                was.grad_max_rel,
                was.first,
            )


def test_a_row_is_compact_and_tells_no_folder_of_the_machine() -> None:
    reason = "No file '/home/me/kit/a.txt'. " + "x" * 500
    named = {"step": 1, "optimizer": 0, "class": "frozen-state", "relative": 1.0}
    first = {**named, "name": "Net.inputs['file'] ('/home/me/a.png' dynamic, - static)"}
    mode = {"verdict": "fails", "reason": reason, "first": first}
    content = {**OLD_PROBE, "modes": {"dynamic": {"outcome": "ok"}, "ast": mode}}
    (one,) = rows_of(from_content(content), DATE, None)
    assert one.first is not None
    assert one.first.name == "Net.inputs['file'] ('…/a.png' dynamic, - static)"
    assert "/home" not in one.to_line() and "'…/a.txt'" in one.reason
    assert one.reason.endswith("x …") and len(one.reason) == 300
    assert set(json.loads(row(also=(), attempt={}, reason="", adapter=0).to_line())) < {
        *EvidenceRow.__slots__,
        "digest",
        "ground",
    }
    assert "device" not in json.loads(one.to_line())


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("{", "Expecting"),
        ("[]", "is not an object"),
        ('{"kit": "PaddleClas"}', "`config` is missing"),
        (row().to_line()[:-1] + ',"more":1}', "`more` is not a key of a row"),
        (row().to_line().replace('"fails"', '"good"'), "`verdict` is 'good'"),
    ],
)
def test_a_line_that_is_no_row_is_named(tmp_path: Path, line: str, why: str) -> None:
    file = tmp_path / "PaddleClas.jsonl"
    file.write_text(f"{row().to_line()}\n{line}\n", encoding="utf-8")
    found = base.read_file(file)
    assert found.rows == (row(),)
    ((place, told),) = found.damaged.items()
    assert place == f"{file}:2" and why in told
    assert base.verify(file) == [f"{place}: {told}."]


def test_a_tolerance_whose_words_say_in_part_is_told_as_partly_static() -> None:
    part = (Reason.of("judging.partial", parts=("1 distinct graph break",)),)
    old = row(verdict=Verdict.PASS_TOLERANCE, said=part)
    assert old.told is Verdict.PASS_PARTIAL
    assert old.to_result().verdicts == {Verdict.PASS_PARTIAL}
    assert json.loads(old.to_line())["verdict"] == "pass-tolerance", "its file stays"
    assert row(verdict=Verdict.PASS_TOLERANCE).told is Verdict.PASS_TOLERANCE
    assert row(verdict=Verdict.FAILS, said=part).told is Verdict.FAILS
    assert base.contradictions([old, replace(old, verdict=Verdict.PASS_PARTIAL)]) == ()


def test_of_the_same_the_newer_stays() -> None:
    newer = row(date="2026-02-01T00:00:00+00:00", reason="again")
    assert base.merge([newer], [row()]) == (newer,)
    assert base.merge([row()], [newer]) == (newer,)


def test_contradictions_stay_and_are_named(tmp_path: Path) -> None:
    other = row(verdict=Verdict.PASS, date="2026-02-01T00:00:00+00:00")
    both = base.merge([row()], [other])
    assert both == (row(), other)
    assert base.contradictions(both) == (both,)
    file = tmp_path / "PaddleClas.jsonl"
    base.write_base(file, both)
    (finding,) = base.verify(file)
    assert "a.yaml in ast on Paddle 3.3.1 (probe, cpu) is contradictory" in finding
    assert "fails" in finding and "pass (2026-02-01" in finding


@pytest.mark.parametrize(
    "fields", [{"rests_on": "def"}, {"adapter": 3}, {"recorder": "r"}, {"steps": 9}]
)
def test_what_was_measured_on_other_ground_is_replaced(fields: dict[str, Any]) -> None:
    newer = row(verdict=Verdict.PASS, date="2026-02-01T00:00:00+00:00", **fields)
    assert base.merge([row()], [newer]) == (newer,)
    assert base.merge([newer], [row()]) == (newer,)


def test_a_run_that_could_not_be_made_replaces_none() -> None:
    newer = row(verdict=Verdict.NOT_RUN, rests_on="def", date="2026-02-01T00:00:00+00:00")
    assert base.merge([row()], [newer]) == (row(),)
    assert base.merge([], [newer]) == (newer,)


def test_duplicates_and_disorder_are_findings(tmp_path: Path) -> None:
    file = tmp_path / "PaddleClas.jsonl"
    lines = [row(config="b.yaml").to_line(), row().to_line()]
    file.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    assert base.verify(file) == [f"{file}: the rows are not sorted."]
    file.write_text(f"{lines[1]}\n{lines[1]}\n", encoding="utf-8")
    assert [finding.partition(": ")[2] for finding in base.verify(file)] == [
        "a.yaml in ast on Paddle 3.3.1 (probe, cpu) stands twice."
    ]
    base.write_base(file, [row(config="b.yaml"), row(), row()])
    assert base.verify(file) == []


def test_a_row_of_another_kit_is_a_finding(tmp_path: Path) -> None:
    file = tmp_path / "PaddleSeg.jsonl"
    base.write_base(file, [row()])
    assert "`kit` is 'PaddleClas'" in base.verify(file)[0]


def test_the_commands(data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "ws" / "probes" / "PaddleClas"
    folder.mkdir(parents=True)
    (folder / "a.json").write_text(json.dumps({**OLD_PROBE, "edited": {}}), encoding="utf-8")
    (folder / "cut.json").write_text("{", encoding="utf-8")
    add = ["evidence", "add", "--workspace", str(tmp_path / "ws")]
    assert run(add) == 0
    told = capsys.readouterr()
    assert "cut.json is left out: it is not JSON." in told.err
    file = data / "evidence" / "PaddleClas.jsonl"
    before = file.read_bytes()
    assert run(add) == 0 and file.read_bytes() == before, "adding twice changes nothing"
    assert run(["evidence", "verify"]) == 0
    capsys.readouterr()
    assert run(["evidence", "list", "PaddleClas", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    mine = [one for one in listed["rows"] if one["config"] == "a.yaml"]
    assert [(one["mode"], one["verdict"]) for one in mine] == [("ast", "fails"), ("sot", "not-run")]
    assert run(["evidence", "list", "PaddleClas"]) == 0
    assert "a.yaml in ast on Paddle 3.3.1 (probe, cpu): fails" in capsys.readouterr().out
    assert run(["evidence", "list"]) == 0
    assert "PaddleClas:" in capsys.readouterr().out
    file.write_text(file.read_text(encoding="utf-8") + "{\n", encoding="utf-8")
    assert run(["evidence", "verify"]) == 1
    assert run(["evidence", "add", "--workspace", str(tmp_path / "none")]) == 2


def test_the_report_shows_the_base_s_parity_runs(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shown = {**OLD_PARITY, "config": "only/in/base.yaml"}
    probe = list(rows_of(from_content(OLD_PROBE), DATE, None))
    rows = [one for c in (OLD_PARITY, shown) for one in rows_of(from_content(c), DATE, None)]
    base.write_base(data / "evidence" / "PaddleRec.jsonl", rows)
    base.write_base(data / "evidence" / "PaddleClas.jsonl", probe)
    folder = tmp_path / "ws" / "results" / "PaddleRec"
    folder.mkdir(parents=True)
    (folder / "x.json").write_text(json.dumps(OLD_PARITY), encoding="utf-8")
    assert run(["report", "--json", "--workspace", str(tmp_path / "ws")]) == 0
    told = json.loads(capsys.readouterr().out)
    # The tool's own base may hold runs of other kits.
    rec = [one for one in told["results"] if one["kit"] == "PaddleRec"]
    assert [(one["config"], one["modes"]) for one in rec] == [
        ("models/rank/dnn/config.yaml", {"ast": "gradient-differs", "sot": "not-run"}),
        ("only/in/base.yaml", {"ast": "gradient-differs", "sot": "not-run"}),
    ]
    page = (tmp_path / "ws" / "results" / "index.html").read_text(encoding="utf-8")
    assert "only/in/base.yaml" in page.replace("<wbr>", "") and 'href=""' not in page


def test_a_contradiction_is_told_when_it_is_added(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "ws" / "probes" / "PaddleClas"
    folder.mkdir(parents=True)
    (folder / "a.json").write_text(json.dumps({**OLD_PROBE, "edited": {}}), encoding="utf-8")
    add = ["evidence", "add", "--workspace", str(tmp_path / "ws")]
    assert run(add) == 0
    ast = {**OLD_PROBE["modes"]["ast"], "verdict": "crash"}
    content = {**OLD_PROBE, "edited": {}, "modes": {**OLD_PROBE["modes"], "ast": ast}}
    (folder / "a.json").write_text(json.dumps(content), encoding="utf-8")
    assert run(add) == 1
    assert "is contradictory" in capsys.readouterr().err
    verdicts = [one.verdict for one in base.read_base("PaddleClas").rows if one.mode == "ast"]
    assert {Verdict.FAILS, Verdict.CRASH} <= set(verdicts)


@pytest.mark.slow
def test_the_shipped_base_is_sound() -> None:
    files = base.files()
    assert len(files) >= 10
    assert [finding for file in files for finding in base.verify(file)] == []
    assert all(file.stat().st_size < 2**20 for file in files)


@pytest.mark.slow
def test_no_shipped_line_tells_a_folder_of_the_machine_that_measured_it() -> None:
    shipped = data_path("evidence").rglob("*.jsonl")
    lines = [line for file in shipped for line in file.read_text().splitlines()]
    assert lines
    assert [line[:200] for line in lines if without_folders(line) != line] == []


def test_first_differences_and_hazards_survive() -> None:
    first = FirstDifference(1, 0, "w", "drift", float("inf"), 2)
    one = row(first=first, hazard=RowHazard("D-1", "net.py", 3))
    result = from_line(one.to_line()).to_result()
    assert result.modes["ast"].first == first
    assert result.modes["ast"].hazard == Explanation("D-1", "", "", "net.py", 3)


def probed(folder: Path, **fields: Any) -> None:
    """A workspace with one probe's result."""
    place = folder / "probes" / "PaddleClas"
    place.mkdir(parents=True, exist_ok=True)
    name = "r" + str(fields.get("config", "a")).replace("/", "-")
    (place / f"{name}.json").write_text(
        json.dumps({**OLD_PROBE, "edited": {}, **fields}), encoding="utf-8"
    )


@pytest.mark.parametrize("damage", [b"\xff\n", b'{"kit":"Padd', b'{"more":1}\n', b"\n"])
def test_nothing_is_written_over_a_line_that_cannot_be_read(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], damage: bytes
) -> None:
    file = data / "evidence" / "PaddleClas.jsonl"
    base.write_base(file, [row(config="kept.yaml")])
    file.write_bytes(file.read_bytes() + damage)
    before = file.read_bytes()
    probed(tmp_path / "ws")
    assert run(["evidence", "add", "--workspace", str(tmp_path / "ws")]) == 2
    assert f"{file}:2 cannot be read" in capsys.readouterr().err
    assert file.read_bytes() == before
    assert run(["evidence", "verify"]) == 1


def test_a_line_that_was_changed_is_seen(tmp_path: Path) -> None:
    file = tmp_path / "PaddleClas.jsonl"
    base.write_base(file, [row()])
    file.write_text(file.read_text().replace('"abc"', '"abd"'))
    ((_, why),) = base.read_file(file).damaged.items()
    assert "its digest is of another content" in why
    content = json.loads(row().to_line())
    del content["digest"]
    file.write_text(json.dumps(content) + "\n")
    assert base.read_file(file).rows == (row(),), "of before there were digests"
    assert "it has no digest" in base.verify(file)[0]


def test_separators_of_unicode_tear_no_row(tmp_path: Path) -> None:
    file = tmp_path / "PaddleClas.jsonl"
    one = row(reason="a\u2028b\u0085c\ud800")
    base.write_base(file, [one])
    assert base.read_file(file) == FileLines((one,))


def test_a_kit_s_name_leads_nowhere(
    data: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    probed(tmp_path / "ws", kit="../../../outside")
    probed(tmp_path / "ws", config="../../b.yaml")
    probed(tmp_path / "ws", config="c.yaml")
    assert run(["evidence", "add", "--workspace", str(tmp_path / "ws")]) == 0
    told = capsys.readouterr().err
    assert "'../../../outside' is not a name" in told
    assert "'../../b.yaml' leads out of the kit" in told
    assert [one.name for one in (data / "evidence").iterdir()] == ["PaddleClas.jsonl"]
    assert list(tmp_path.rglob("outside*")) == []
    line = row(config="../b.yaml").to_line()
    with pytest.raises(ValueError, match="leads out of the kit"):
        from_line(line)


def test_an_installed_tool_writes_to_the_user_s_folder_and_reads_both(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # As pip puts it: the package with its data, and no checkout around it.
    package = tmp_path / "site" / "codemod"
    shipped = package / "data" / "evidence" / "PaddleClas.jsonl"
    base.write_base(shipped, [row(config="shipped.yaml")])
    before = shipped.read_bytes()
    (package / "data" / "kits.yaml").write_bytes(data_path("kits.yaml").read_bytes())
    monkeypatch.setattr(data_folder, "_PACKAGE", package)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    probed(tmp_path / "ws")
    assert run(["evidence", "add", "--workspace", str(tmp_path / "ws")]) == 0
    mine = tmp_path / "xdg" / "codemod" / "evidence" / "PaddleClas.jsonl"
    assert str(mine) in capsys.readouterr().out
    assert shipped.read_bytes() == before
    assert {one.config for one in base.read_file(mine).rows} == {"a.yaml"}
    assert {one.config for one in base.read_base("PaddleClas").rows} == {"a.yaml", "shipped.yaml"}
    other = tmp_path / "checkout"
    assert run(["evidence", "add", "--to", str(other), "--workspace", str(tmp_path / "ws")]) == 0
    assert (other / "evidence" / "PaddleClas.jsonl").is_file()


def test_a_checkout_under_git_is_where_contributors_add() -> None:
    top = data_folder._PACKAGE.parent
    assert data_folder.folder_to_write() == (
        top if (top / ".git").exists() else data_folder.user_folder()
    )


def test_a_damaged_result_is_put_aside_and_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "ws" / "a.json"
    file.parent.mkdir()
    file.write_text("{")
    write_result(file, from_content(OLD_PROBE))
    (aside,) = tmp_path.glob("ws/a.json.damaged-*")
    assert aside.read_text() == "{" and aside.name in capsys.readouterr().err
    assert from_content(json.loads(file.read_text())) == from_content(OLD_PROBE)


@pytest.mark.parametrize("seed", range(12))
def test_many_writers_lose_nothing(tmp_path: Path, seed: int) -> None:
    assert writers.attempt(seed, tmp_path, most=6) == ""


@pytest.mark.parametrize("seed", range(40))
def test_a_fault_anywhere_loses_nothing_and_is_told(tmp_path: Path, seed: int) -> None:
    assert shared_faults.attempt(seed, tmp_path) == ""


@pytest.mark.parametrize(
    ("probe", "source"),
    [
        (ProbePart(own_loss=True), "probe"),
        (ProbePart(own_loss=False, attempt={"loss": "kit"}), "placeholder"),
        (ProbePart(attempt={"size": 64, "loss": "kit"}), "probe"),
        (ProbePart(attempt={"size": 64}), "placeholder"),
    ],
)
def test_a_row_tells_the_loss_as_its_result_does(probe: ProbePart, source: str) -> None:
    mode = {"ast": ModeResult(Verdict.PASS, "")}
    (made,) = rows_of(Result("Kit", "a.yml", "3.3.1", mode, probe=probe), "", None)
    assert source_of(from_line(made.to_line()).to_result()) == source
    # As rows were before the loss was kept: their attempt says it.
    assert source_of(replace(made, own_loss=None).to_result()) == source_of(
        Result("Kit", "a.yml", "3.3.1", mode, probe=replace(probe, own_loss=None))
    )


NOT_REAL = Reason.of("judging.amp-not-real")


@pytest.mark.parametrize(("amp", "kept"), [("not-real", (NOT_REAL,)), ("real", ()), (None, ())])
def test_a_row_says_that_mixed_precision_was_not_real(
    amp: str | None, kept: tuple[Reason, ...]
) -> None:
    """A pass in float32 would be read as one of the precision that the config asks for."""
    mode = {"ast": ModeResult(Verdict.PASS, amp=amp).saying(NOT_REAL)}
    (made,) = rows_of(Result("Kit", "a.yml", "3.3.1", mode), "", None)
    found = from_line(made.to_line()).to_result().modes["ast"]
    assert (found.amp, found.said) == (amp, kept)
    assert ("both trained in float32" in found.reason) is bool(kept)


@pytest.mark.slow
def test_no_text_on_file_is_cut_within_a_word() -> None:
    kits = sorted(path.stem for path in data_path("evidence").glob("*.jsonl"))
    texts = [row.reason or "" for kit in kits for row in base.read_base(kit).rows]
    assert any(text.endswith(" …") for text in texts)
    assert [text[-60:] for text in texts if re.search(r"[\w'\"]…(?!/)", text)] == []
