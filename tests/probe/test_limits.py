"""How much memory a probe may take, and that a child which takes more ends alone."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from codemod.base import machine
from codemod.experiments.probe import request
from codemod.experiments.probe.server import INSIDE
from codemod.training.runner import INJECT

if TYPE_CHECKING:
    from pathlib import Path

_SERVER = """
import json, os, sys
from parity_recorder.files.reads import Reads
from probe_inside import serve

class Adapter:
    @staticmethod
    def models(configs):
        kept = []
        for _ in range(int(configs[0])):
            kept.append(bytearray(os.urandom(1)) * 2**20)
        return len(kept)

for count in ("50", "400"):
    request = {"op": "models", "configs": [count], "out": sys.argv[1] + "/out" + count,
               "log": sys.argv[1] + "/log" + count, "limit_s": 60, "memory_mb": 200}
    print(json.dumps(serve._run(Adapter, request, os.dup(1), Reads(sys.argv[1] + "/reads", {}))))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits all that is allocated")
def test_a_child_gets_no_more_than_its_limit(tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": os.pathsep.join((str(INSIDE), str(INJECT)))}
    done = subprocess.run(
        [sys.executable, "-c", _SERVER, str(tmp_path)],
        env=env,
        capture_output=True,
        text=True,
        check=True,
    )
    small, large = [json.loads(line) for line in done.stdout.splitlines()]
    assert (small["code"], (tmp_path / "out50").read_text()) == (0, "50")
    assert large["code"] == 1
    assert "MemoryError" in (tmp_path / "log400").read_text()
    assert 40 <= small["grown_mb"] < 120
    assert 150 <= large["grown_mb"] <= 210


def test_a_fair_share_leaves_room_for_all_jobs() -> None:
    whole = machine.machine_gb()
    assert 0 < whole <= os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    assert request.fair_memory_gb(1) == pytest.approx(0.8 * whole)
    assert request.fair_memory_gb(4) == pytest.approx(0.2 * whole)


@pytest.mark.parametrize(("text", "gb"), [("1073741824", 1.0), ("max", None)])
def test_a_container_may_have_less(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, gb: float | None
) -> None:
    file = tmp_path / "memory.max"
    file.write_text(f"{text}\n")
    monkeypatch.setattr(machine, "_GROUP_LIMITS", (tmp_path / "none", file))
    whole = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30
    assert machine.machine_gb() == pytest.approx(whole if gb is None else gb)
