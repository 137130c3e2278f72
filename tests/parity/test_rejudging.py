"""Kept parity runs are judged again from their records, or said to need another run."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Any

import pytest

from codemod.base.files.workspace import Workspace
from codemod.base.reason import Reason, Refusal
from codemod.cli.main import run
from codemod.experiments.parity.experiment import judge_case
from codemod.experiments.parity.rejudging import rejudge, rejudge_kept
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.evidence.measured import dynamic_result, mode_result
from codemod.judging.evidence.result import ModeResult, ParityPart, Result
from codemod.judging.evidence.result_files import read_result, write_result
from codemod.judging.verdict import Explanation, Verdict
from codemod.training.inject.parity_recorder.values import digests
from codemod.training.record import read_ranks
from codemod.training.runner import recorder_version
from tests.parity.builders import CAUGHT, gradients

if TYPE_CHECKING:
    from pathlib import Path

BEGAN = datetime(2026, 1, 2, 3, 0, tzinfo=timezone.utc)
DATE = "2026-01-02T03:04:05+00:00"
NAME = "net-0123456789ab"


def write_run(folder: Path, name: str, ended: str = "steps", **fields: Any) -> None:
    """A record as the recorder writes it, and the stamp of a run that came to its end.

    `began` is when (seconds since 1970); `off` is added to the loss of the last step.
    """
    static = CAUGHT if name != "dynamic" and not name.startswith("dynamic-") else {}
    lines: list[dict[str, Any]] = [
        {"t": "start", "time": fields.get("began", BEGAN.timestamp())},
        *([{"t": "hook", "file": "train.py", "line": 3}] if static else []),
    ]
    for number in range(3):
        grads = {key: digests.fingerprint(value) for key, value in gradients(number).items()}
        loss = 1.0 + (fields.get("off", 0.0) if number == 2 else 0.0)
        lines.append(
            {"t": "step", "opt": 0, "step": number, "losses": [loss], "lr": 0.1, "s": 0.01}
            | {"grads": grads, "static": static, "random": {}, "state": {}}
        )
    lines.append({"t": "end", "reason": ended})
    folder.mkdir(parents=True, exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    if ended == "steps":
        (folder / f"{name}.stamp").touch()


def records(root: Path) -> Path:
    return root / "runs" / "Kit" / NAME


def keep(root: Path, **modes: Verdict) -> Path:
    """The result of the runs in the workspace at `root`, with these verdicts in it."""
    dynamic = read_ranks(records(root) / "dynamic.jsonl", 1, "ok")
    repeat = read_ranks(records(root) / "dynamic-repeat.jsonl", 1, "ok")
    found: dict[str, ModeResult] = {}
    for mode, verdict in modes.items():
        static = read_ranks(records(root) / f"{mode}.jsonl", 1, "ok")
        item = judge_case(Comparison(mode, dynamic, static, repeat))
        found[mode] = replace(mode_result(item.comparison, item.judgement), verdict=verdict)
    result = Result(
        kit="Kit",
        config="net.yml",
        paddle="2.6.2",
        modes=found,
        dynamic=dynamic_result(dynamic, repeat),
        device="cpu",
        date=DATE,
        recorder=recorder_version(),
        parity=ParityPart(steps=3, command="codemod parity Kit -c net.yml"),
    )
    file = root / "results" / "Kit" / f"{NAME}.json"
    write_result(file, result)
    return file


@pytest.fixture
def place(tmp_path: Path) -> Workspace:
    """A workspace with the records of equal runs."""
    for name in ("dynamic", "dynamic-repeat", "ast", "sot"):
        write_run(records(tmp_path), name)
    return Workspace.at(tmp_path)


def change(file: Path, **fields: Any) -> None:
    write_result(file, replace(read_result(file), **fields))


def test_a_verdict_that_no_longer_holds_is_replaced_and_keeps_its_date(place: Workspace) -> None:
    file = keep(place.root, ast=Verdict.STATE_DIFFERS, sot=Verdict.PASS)
    done = rejudge_kept(place)
    assert (done.judged, done.again) == (1, ())
    (changed,) = done.changed
    assert (changed.config, changed.mode) == ("net.yml", "ast")
    assert (changed.before, changed.after) == (Verdict.STATE_DIFFERS, Verdict.PASS)
    result = read_result(file)
    assert result.verdicts == {Verdict.PASS}
    assert result.date == DATE
    assert file.with_suffix(".html").is_file()
    before = file.read_bytes()
    assert rejudge_kept(place).changed == ()
    assert file.read_bytes() == before


def test_a_difference_that_is_there_is_found(place: Workspace) -> None:
    write_run(records(place.root), "ast", off=0.5)
    write_run(records(place.root), "dynamic-ulp")
    keep(place.root, ast=Verdict.PASS, sot=Verdict.PASS)
    (changed,) = rejudge_kept(place).changed
    assert (changed.mode, changed.after) == ("ast", Verdict.LOSS_DIFFERS)


def test_what_the_judge_wants_and_nobody_ran_must_be_run(place: Workspace) -> None:
    write_run(records(place.root), "ast", off=0.5)
    file = keep(place.root, ast=Verdict.PASS, sot=Verdict.PASS)
    (again,) = rejudge_kept(place).again
    assert str(again.reason) == "the judge now wants control runs that were not made"
    assert again.command == "codemod parity Kit -c net.yml --force"
    part = ParityPart(steps=3, command="codemod parity Kit -c net.yml --no-controls")
    change(file, parity=part)
    assert rejudge_kept(place).changed[0].after is Verdict.LOSS_DIFFERS


def test_a_run_that_failed_is_known_by_its_verdict(place: Workspace) -> None:
    file = keep(place.root, ast=Verdict.CRASH, sot=Verdict.PASS)
    write_run(records(place.root), "ast", ended="exit")
    (records(place.root) / "ast.stamp").unlink()
    done = rejudge_kept(place)
    assert (done.judged, done.changed) == (1, ())
    assert read_result(file).modes["ast"].verdict is Verdict.CRASH


def test_a_dynamic_run_that_was_cut_off_is_no_fault_of_the_kit_s(place: Workspace) -> None:
    file = keep(place.root, ast=Verdict.DYNAMIC_FAILS, sot=Verdict.DYNAMIC_FAILS)
    write_run(records(place.root), "dynamic", ended="exit")
    (records(place.root) / "dynamic.stamp").unlink()
    change(file, dynamic=replace(read_result(file).dynamic, outcome="timeout"))
    done = rejudge_kept(place, "Kit")
    assert {one.after for one in done.changed} == {Verdict.NOT_RUN}
    assert len(done.changed) == 2


def test_what_was_ended_from_outside_must_be_run_again(place: Workspace) -> None:
    file = keep(place.root, ast=Verdict.NOT_RUN, sot=Verdict.PASS)
    result = read_result(file)
    said = (Reason.of("judging.static-killed", last="x"),)
    change(file, modes={**result.modes, "ast": replace(result.modes["ast"], said=said)})
    (again,) = rejudge_kept(place).again
    assert str(again.reason) == "a run of it was ended from outside"


def test_a_hazard_keeps_its_place_where_the_run_s_tree_was_another(place: Workspace) -> None:
    file = keep(place.root, ast=Verdict.FAILS, sot=Verdict.PASS)
    record = records(place.root) / "ast.jsonl"
    lines = record.read_text(encoding="utf-8").splitlines()[:-1]
    raised = {"t": "end", "reason": "error", "error": "AttributeError"}
    message = "'Value' object has no attribute 'numpy'"
    lines.append(json.dumps({**raised, "message": message}))
    record.write_text("\n".join(lines) + "\n", encoding="utf-8")
    record.with_suffix(".stamp").unlink()
    result = read_result(file)
    known = Explanation("D-01", "numpy", "Stay with tensors.", "net.py", 7)
    modes = {**result.modes, "ast": replace(result.modes["ast"], hazard=known)}
    after = rejudge(replace(result, modes=modes), records(place.root), place.root)
    assert not isinstance(after, Refusal)
    assert after.modes["ast"].verdict is Verdict.FAILS
    assert after.modes["ast"].hazard == known
    other = {**result.modes, "ast": replace(modes["ast"], hazard=replace(known, id="D-02"))}
    after = rejudge(replace(result, modes=other), records(place.root), place.root)
    assert not isinstance(after, Refusal)
    found = after.modes["ast"].hazard
    assert found is not None
    assert (found.id, found.file) == ("D-01", None)


@pytest.mark.parametrize(
    ("spoil", "reason"),
    [
        ("recorder", "another version of the recorder wrote its records"),
        ("gone", "its records are gone"),
        ("static gone", "its records are gone, or of a later run"),
        ("later", "its records are gone, or of a later run"),
        ("broken off", "its records are gone, or of a later run"),
    ],
)
def test_without_its_records_a_result_stands_and_is_named(
    place: Workspace, spoil: str, reason: str
) -> None:
    file = keep(place.root, ast=Verdict.STATE_DIFFERS, sot=Verdict.PASS)
    folder = records(place.root)
    if spoil == "recorder":
        change(file, recorder="0" * 64)
    elif spoil == "gone":
        (folder / "dynamic.jsonl").unlink()
    elif spoil == "static gone":
        (folder / "sot.jsonl").unlink()
    elif spoil == "later":
        write_run(folder, "ast", began=BEGAN.timestamp() + 86400)
    else:
        # The kept verdict is not that of a run that failed.
        write_run(folder, "ast", ended="exit")
        (folder / "ast.stamp").unlink()
    before = file.read_bytes()
    done = rejudge_kept(place)
    assert (done.judged, done.changed) == (0, ())
    assert [str(one.reason) for one in done.again] == [reason]
    assert file.read_bytes() == before


def test_what_was_not_run_or_broken_off_is_left_alone(place: Workspace) -> None:
    file = keep(place.root, ast=Verdict.STATE_DIFFERS)
    kept = read_result(file)
    assert kept.parity is not None
    change(file, parity=replace(kept.parity, interrupted=True))
    assert rejudge_kept(place).judged == 0
    change(file, parity=kept.parity, dynamic=replace(kept.dynamic, outcome=None))
    done = rejudge_kept(place)
    assert (done.judged, done.again) == (0, ())


def test_the_command_says_what_changed_and_what_must_be_run(
    place: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    file = keep(place.root, ast=Verdict.STATE_DIFFERS, sot=Verdict.PASS)
    words = ["evidence", "rejudge", "--workspace", str(place.root)]
    assert run(words) == 0
    said = capsys.readouterr().out
    assert "net.yml in ast on Paddle 2.6.2 (cpu): state-differs, now pass\n" in said
    assert "1 runs judged again, 1 verdicts changed, 0 runs must be made again" in said
    change(file, recorder="0" * 64)
    assert run([*words, "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["judged"], told["changed"]) == (0, [])
    assert told["again"][0]["command"] == "codemod parity Kit -c net.yml --force"
