"""Ctrl-C while a training runs: a real signal to the real command."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codemod.training.record import read_run_record
from tests.parity.conftest import PROGRAMS, paddle_python

# A test run in the background of a script inherits that Ctrl-C is ignored.
COMMAND = (
    "import signal, sys\n"
    "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
    "from codemod.cli import main\nmain(sys.argv[1:])"
)
LAUNCH = "argv: [slow_steps.py]\ngate_args: [--to-static]\n"


def wait_for(folder: Path, name: str, steps: int) -> Path:
    """The record of a run, once it has so many steps."""
    for _ in range(3000):
        for path in folder.rglob(f"{name}.jsonl"):
            if len(read_run_record(path, "ok").steps) >= steps:
                return path
        time.sleep(0.2)
    pytest.fail("the training did not get going")


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


CODEMOD = [sys.executable, "-c", COMMAND]


def slow_parity(folder: Path) -> list[str]:
    """The command that trains a small, slow kit, made in `folder`."""
    kit = folder / "minikit"
    kit.mkdir()
    for name in ("common.py", "slow_steps.py"):
        shutil.copy(PROGRAMS / name, kit / name)
    (kit / "config").touch()
    (folder / "launch.yaml").write_text(LAUNCH)
    words = ["parity", str(kit), "-c", "config", "--device", "cpu"]
    words += ["--launch", str(folder / "launch.yaml"), "--workspace", str(folder / "ws")]
    return [*words, "--python", str(paddle_python("2.6.2"))]


@pytest.mark.slow
def test_a_result_stands_until_a_forced_run_is_whole(tmp_path: Path) -> None:
    words = [*slow_parity(tmp_path), "--steps", "4", "--modes", "ast"]
    subprocess.run([*CODEMOD, *words], check=True)
    (result,) = (tmp_path / "ws" / "results").rglob("*.json")
    first = result.read_bytes()
    earlier, partial = result.with_suffix(".earlier"), result.with_suffix(".partial")
    assert not earlier.exists()

    process = subprocess.Popen([*CODEMOD, *words, "--force"], stderr=subprocess.PIPE, text=True)
    try:
        # The first run left a whole record under the same name.
        (record,) = (tmp_path / "ws" / "runs").rglob("dynamic.jsonl")
        before = record.stat().st_mtime
        for _ in range(6000):
            if record.exists() and record.stat().st_mtime != before:
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=600)[1]
    finally:
        process.kill()
    assert process.returncode == 130
    assert f"the earlier result in {result} stands" in error
    assert result.read_bytes() == first
    assert json.loads(partial.read_bytes())["interrupted"] is True
    assert not earlier.exists()

    subprocess.run([*CODEMOD, *words, "--force"], check=True)
    assert earlier.read_bytes() == first
    assert json.loads(result.read_bytes())["interrupted"] is False
    assert not partial.exists()


@pytest.mark.slow
def test_interrupted_training_leaves_records_and_a_partial_result(tmp_path: Path) -> None:
    words = slow_parity(tmp_path)
    workspace = tmp_path / "ws"
    process = subprocess.Popen([*CODEMOD, *words], stderr=subprocess.PIPE, text=True)
    try:
        record = wait_for(workspace / "runs", "dynamic", 3)
        second = subprocess.run([*CODEMOD, *words], capture_output=True, text=True, check=False)
        process.send_signal(signal.SIGINT)
        error = process.communicate(timeout=600)[1]
    finally:
        process.kill()
    assert second.returncode == 2, "two would write into one record"
    assert "Another run is changing" in second.stderr
    assert process.returncode == 130
    assert "Interrupted; finished runs are kept in" in error
    assert "Traceback" not in error
    read = read_run_record(record, "interrupted")
    assert len(read.steps) >= 3
    assert read.steps[2].grads["Sequential.1.weight"].present
    for _ in range(6000):
        if not is_alive(int(read.start["pid"])):
            break
        time.sleep(0.1)
    else:
        os.kill(int(read.start["pid"]), signal.SIGKILL)
        pytest.fail("the training process outlived the command")

    (result,) = (workspace / "results").rglob("*.json")
    content = json.loads(result.read_text())
    assert content["interrupted"] is True
    assert content["modes"]["ast"]["verdict"] == "not-run"
    assert (
        f"dynamic training made {len(read.steps)} of 50 steps" in content["modes"]["ast"]["reason"]
    )
    assert len(content["curves"]["dynamic"]["loss"]) == len(read.steps)
    assert "Interrupted" in result.with_suffix(".html").read_text()

    report = [*CODEMOD, "report", "--json", "--workspace", str(workspace)]
    told = subprocess.run(report, capture_output=True, text=True, check=True)
    assert json.loads(told.stdout)["results"][0]["interrupted"] is True
    assert "interrupted" in (workspace / "results" / "index.html").read_text()
