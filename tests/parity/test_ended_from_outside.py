"""Runs that somebody or something else ended: small real processes, judged, and no evidence."""

from __future__ import annotations

import json
import os
import signal
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.cli.main import run
from codemod.experiments.parity.experiment import judge_case
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.evidence import base
from codemod.judging.evidence.measured import mode_result
from codemod.judging.evidence.result_files import PARITY_FOLDER, from_content, write_result
from codemod.training.runner import Command, RunRequest, run_once
from tests.evidence.test_result_files import OLD_PARITY

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.judging.evidence.result import ModeResult
    from codemod.training.record import Record

# A trainer that writes two steps as the recorder does. It began `ago` seconds before, by its
# record; then it ends, or stands still.
TRAINER = """
import json, os, sys, time
ago, stands = float(sys.argv[1]), sys.argv[2] == "stands"
with open(sys.argv[3], "w") as out:
    def say(**line):
        out.write(json.dumps(line, separators=(",", ":")) + chr(10))
        out.flush()
    say(t="start", time=time.time() - ago, pid=os.getpid())
    for step in range(2):
        say(t="step", opt=0, step=step, losses=[1.0], lr=0.1, s=0.1, grads={"a": ["d", "", 1.0, ""]})
    if not stands:
        say(t="end", reason="steps")
if stands:
    time.sleep(600)
"""


def trained(root: Path, mode: str, ago: float, then: str, limit_s: float, sent: int = 0) -> Record:
    """A run of the trainer, to which a signal is sent once it has made its steps."""
    out = root / f"{mode}.jsonl"
    command = Command((sys.executable, "-c", TRAINER, str(ago), then, str(out)), root)

    def send(name: str, steps: int, loss: float | None, seconds: float) -> None:
        if sent and steps == 2:
            with out.open(encoding="utf-8") as record:
                os.kill(json.loads(record.readline())["pid"], sent)

    return run_once(command, RunRequest(mode, mode, 2), root, "cpu", limit_s, send)


def judged(dynamic: Record, static: Record) -> ModeResult:
    found = judge_case(Comparison("ast", dynamic, static))
    return mode_result(found.comparison, found.judgement)


def added(root: Path, found: ModeResult, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    """How many rows the base takes of a result with this mode, and what is said of the others."""
    result = from_content(OLD_PARITY)
    assert result.parity is not None
    whole = replace(result.parity, interrupted=False)
    kept = replace(result, kit="PaddleSeg", modes={"ast": found}, parity=whole, edited={})
    write_result(root / "ws" / PARITY_FOLDER / kept.kit / "a.json", kept)
    add = ["evidence", "add", "--workspace", str(root / "ws"), "--to", str(root / "to")]
    capsys.readouterr()
    assert run(add) == 0
    rows = base.read_file(root / "to" / "evidence" / "PaddleSeg.jsonl").rows
    return len(rows), capsys.readouterr().err


@pytest.mark.parametrize(
    "sent", [signal.SIGKILL, pytest.param(signal.SIGTERM, marks=pytest.mark.slow)]
)
def test_what_somebody_kills_is_no_evidence(
    tmp_path: Path, sent: signal.Signals, capsys: pytest.CaptureFixture[str]
) -> None:
    dynamic = trained(tmp_path, "dynamic", 1.0, "ends", 60.0)
    assert (dynamic.outcome, len(dynamic.steps)) == ("ok", 2)
    killed = judged(dynamic, trained(tmp_path, "ast", 1.0, "stands", 60.0, sent))
    assert killed.verdict == "not-run"
    number, told = added(tmp_path, killed, capsys)
    assert number == 0
    assert "PaddleSeg: models/rank/dnn/config.yaml in ast" in told
    assert "is left out: Static training was ended from outside, by a signal" in told
    off = trained(tmp_path, "dynamic", 1.0, "stands", 60.0, sent)
    assert judged(off, off).verdict == "not-run", "told as the kit's failure before"
    assert added(tmp_path, judged(off, off), capsys)[0] == 0


def test_a_limit_of_less_than_six_times_dynamic_training_is_no_evidence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    slow = trained(tmp_path, "dynamic", 100.0, "ends", 60.0)
    static = trained(tmp_path, "ast", 1.0, "stands", 1.5)
    assert (static.outcome, static.limit_s) == ("timeout", 1.5)
    short = judged(slow, static)
    assert short.verdict == "not-run"
    number, told = added(tmp_path, short, capsys)
    assert number == 0
    assert "The time limit of 1.5 s ended static training" in told
    assert "Run it again with --limit 6" in told
    quick = replace(slow, seconds=0.2)
    assert judged(quick, static).verdict == "timeout"
    assert added(tmp_path, judged(quick, static), capsys) == (1, "")
