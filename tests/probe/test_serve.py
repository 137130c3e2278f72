"""What a server leaves behind when it is killed: nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

from codemod.experiments.probe.server import INSIDE
from codemod.training.runner import INJECT

_SERVER = """
import os, sys, time
from parity_recorder.files.reads import Reads
from probe_inside import serve

class Adapter:
    @staticmethod
    def models(configs):
        with open(sys.argv[1] + "/pid.part", "w") as file:
            file.write(str(os.getpid()))
        os.rename(sys.argv[1] + "/pid.part", sys.argv[1] + "/pid")
        time.sleep(600)

request = {"op": "models", "configs": [], "out": sys.argv[1] + "/out",
           "log": sys.argv[1] + "/log", "limit_s": 60}
serve._run(Adapter, request, os.dup(1), Reads(sys.argv[1] + "/reads", {}))
"""


def _lives(pid: int) -> bool:
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(encoding="ascii")
        return stat.rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_a_waiting_child_ends_with_a_killed_server(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(INSIDE), str(INJECT)))}
    command = [sys.executable, "-c", _SERVER, str(tmp_path)]
    with subprocess.Popen(command, env=env) as server:
        while not (tmp_path / "pid").exists():
            assert server.poll() is None
            time.sleep(0.02)
        child = int((tmp_path / "pid").read_text())
        assert _lives(child)
        server.kill()
    for _ in range(30_000):
        if not _lives(child):
            break
        time.sleep(0.02)
    assert not _lives(child)


_STUCK = """
import json, os, sys, time
from parity_recorder.files.reads import Reads
from probe_inside import serve

class Adapter:
    @staticmethod
    def models(configs):
        time.sleep(600)

serve.WALL_FACTOR = 0.01
request = {"op": "models", "configs": [], "out": sys.argv[1] + "/out",
           "log": sys.argv[1] + "/log", "limit_s": 60}
print(json.dumps(serve._run(Adapter, request, os.dup(1), Reads(sys.argv[1] + "/reads", {}))))
"""


def test_a_child_that_is_ended_is_answered_as_fully_as_one_that_ends(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(INSIDE), str(INJECT)))}
    command = [sys.executable, "-c", _STUCK, str(tmp_path)]
    ran = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
    answer = json.loads(ran.stdout)
    assert answer == {"code": -signal.SIGKILL, "timed_out": True, "grown_mb": 0}


def test_an_adapter_imports_what_lies_beside_it(tmp_path: Path) -> None:
    (tmp_path / "beside_it.py").write_text("WORD = 'found'\n")
    (tmp_path / "adapter.py").write_text(
        "import importlib\n\ndef prepare():\n    print(importlib.import_module('beside_it').WORD)\n"
    )
    program = "import sys; from probe_inside import serve; serve._adapter(sys.argv[1]).prepare()"
    said = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "adapter.py")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join((str(INSIDE), str(INJECT)))},
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout == "found\n"
