"""Every way a training process may end is an outcome."""

from __future__ import annotations

import signal
import sys
import time
from pathlib import Path

import pytest

from codemod.training.runner import INJECT, Command, RunRequest, environment, outcome_of, run_once

WANTED = RunRequest("run", "ast", 3)

ENDS = {
    "ok": "pass",
    "fails": "raise ValueError('no such layer')",
    "crash": "import os, signal; os.kill(os.getpid(), signal.SIGSEGV)",
    "timeout": "import time; time.sleep(60)",
    "oom": "raise MemoryError('Out of memory')",
    "killed": "import os, signal; os.kill(os.getpid(), signal.SIGTERM)",
}


@pytest.mark.parametrize("outcome", ENDS)
def test_outcomes(tmp_path: Path, outcome: str) -> None:
    command = Command((sys.executable, "-c", ENDS[outcome]), tmp_path)
    limit = 1.0 if outcome == "timeout" else 60.0
    found = run_once(command, WANTED, tmp_path / "runs", "cpu", limit)
    assert (found.outcome, found.limit_s) == (outcome, limit if outcome == "timeout" else 0.0)


def test_a_record_that_was_cut_off_is_read(tmp_path: Path) -> None:
    line = '{"t":"step","opt":0,"step":0,"losses":[1.5],"lr":0.1,"s":0.1}'
    code = (
        "import json, os, signal\n"
        f"out = {str(tmp_path / 'runs' / 'run.jsonl')!r}\n"
        f"open(out, 'w').write('{line}' + chr(10) + '{line[:20]}')\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    found = run_once(
        Command((sys.executable, "-c", code), tmp_path), WANTED, tmp_path / "runs", "cpu", 60.0
    )
    assert found.outcome == "killed", "the kernel says that it ended nothing for lack of memory"
    assert [step.losses for step in found.steps] == [(1.5,)]


@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_run_that_somebody_ends_is_told_from_one_without_memory(
    tmp_path: Path, sent: signal.Signals
) -> None:
    # What a shell starts in the background ignores an interrupt, under nohup a hangup as well.
    heard = (
        "import os, signal\n"
        "signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    )
    code = f"{heard}os.kill(os.getpid(), {sent.value})"
    command = Command((sys.executable, "-c", code), tmp_path)
    found = run_once(command, WANTED, tmp_path / "runs", "cpu", 60.0)
    # Python ends a run of its own accord on SIGINT, with the same signal.
    assert found.outcome == "killed"
    out, log = tmp_path / "runs" / "run.jsonl", tmp_path / "runs" / "run.log"
    starved = outcome_of(-sent.value, False, out, log, starved=True)
    assert starved == ("oom" if sent is signal.SIGKILL else "killed")
    log.write_text("ResourceExhausted: no more memory")
    assert outcome_of(-sent.value, False, out, log) == "oom"


def test_a_record_tells_how_long_it_was_written(tmp_path: Path) -> None:
    def seconds(began: str) -> float:
        out = tmp_path / "runs" / "run.jsonl"
        code = (
            "import json, time\n"
            f"out = open({str(out)!r}, 'w')\n"
            f"out.write(json.dumps({{'t': 'start', 'time': {began}}}) + chr(10))\n"
        )
        command = Command((sys.executable, "-c", code), tmp_path)
        return run_once(command, WANTED, tmp_path / "runs", "cpu", 600.0).seconds

    assert 99 < seconds("time.time() - 100") < 700
    for untrue in ("time.time() + 1e6", "-1e400", "float('nan')", "1.0", "0.0"):
        assert seconds(untrue) == 0.0


def test_children_of_a_run_end_with_it(tmp_path: Path) -> None:
    code = (
        "import os, subprocess, sys, pathlib\n"
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])\n"
        f"pathlib.Path({str(tmp_path / 'child')!r}).write_text(str(child.pid))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    run_once(Command((sys.executable, "-c", code), tmp_path), WANTED, tmp_path / "runs", "cpu", 600)
    child = Path("/proc") / (tmp_path / "child").read_text() / "stat"
    # A killed process dies when it is next scheduled, which a busy machine can put off.
    for _ in range(5000):
        try:
            if child.read_text().split()[2] == "Z":
                return
        except (FileNotFoundError, ProcessLookupError):
            return
        time.sleep(0.1)
    pytest.fail("the child still runs")


def test_environment_is_the_same_but_for_the_mode(tmp_path: Path) -> None:
    ast = environment(RunRequest("a", "ast", 3), tmp_path / "a", "cpu", {}, tmp_path / "home")
    sot = environment(RunRequest("a", "sot", 3), tmp_path / "a", "cpu", {}, tmp_path / "home")
    assert {key for key in ast if ast[key] != sot.get(key)} == {
        "ENABLE_FALL_BACK",
        "CODEMOD_PARITY",
    }
    assert (ast["ENABLE_FALL_BACK"], sot["ENABLE_FALL_BACK"]) == ("False", "True")
    assert ast["PYTHONPATH"].split(":")[0] == str(INJECT)
    assert ast["CUDA_VISIBLE_DEVICES"] == ""
    assert "FLAGS_cudnn_deterministic" not in ast
    gpu = environment(RunRequest("a", "ast", 3), tmp_path / "a", "gpu:1", {}, tmp_path / "home")
    assert (gpu["CUDA_VISIBLE_DEVICES"], gpu["FLAGS_cudnn_deterministic"]) == ("1", "1")
    assert gpu["NVIDIA_TF32_OVERRIDE"] == "0"
    emptied = {"NVIDIA_TF32_OVERRIDE": "", "CUBLAS_WORKSPACE_CONFIG": ""}
    timed = environment(
        RunRequest("a", "ast", 3), tmp_path / "a", "gpu:1", emptied, tmp_path / "home"
    )
    assert gpu.keys() - timed.keys() == emptied.keys(), "as users have them"
    cinn = environment(RunRequest("a", "cinn", 3), tmp_path / "a", "cpu", {}, tmp_path / "home")
    assert cinn.pop("FLAGS_use_cinn") == "1"
    assert {key for key in ast if ast[key] != cinn.get(key)} == {"CODEMOD_PARITY"}


def test_the_request_is_not_handed_on_to_children(tmp_path: Path) -> None:
    code = f"import os, pathlib; pathlib.Path({str(tmp_path / 'seen')!r}).write_text(str('CODEMOD_PARITY' in os.environ))"
    run_once(
        Command((sys.executable, "-c", code), tmp_path), WANTED, tmp_path / "runs", "cpu", 60.0
    )
    assert (tmp_path / "seen").read_text() == "False"
