"""The programs that measure speed and cost: what they list, and what they say of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import yaml

from bench import speed, speed_verdicts, verdict_cost
from bench.config_queue import PADDLES
from codemod.base.json_form import to_json
from codemod.judging.speed.speed import Ratio, SpeedVerdict
from codemod.training.recipes import read_recipe
from tests.judging.test_timings import row

if TYPE_CHECKING:
    import pytest


def test_twenty_configs_and_more_are_listed_on_each_paddle_and_can_be_launched() -> None:
    found = speed_verdicts.items()
    assert len(found) == len(set(found)) >= 20 * len(PADDLES)
    for kit, config, _ in found:
        assert read_recipe(kit, config).why_not == ""


def test_idle_and_loaded_are_held_against_each_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    idle = row()
    loaded = {
        "meet": replace(idle, config="meet", ratio=Ratio(0.53, 0.51, 0.55)),
        "apart": replace(idle, config="apart", ratio=Ratio(0.6, 0.58, 0.62)),
        "contradict": replace(idle, config="contradict", verdict=SpeedVerdict.FASTER),
        "not timed": replace(idle, config="not timed", ratio=None),
    }
    lines = [
        {"as": state, "kit": "Kit", "config": name, "paddle": "3.3.1", "rows": [to_json(one)]}
        for name, other in loaded.items()
        for state, one in (("idle", replace(idle, config=name)), ("loaded", other))
    ]
    file = tmp_path / "speed_verdicts.jsonl"
    file.write_text("".join(json.dumps({**line, "why": ""}) + "\n" for line in lines))
    speed_verdicts.agree(tmp_path)
    said = capsys.readouterr().out.splitlines()
    assert {line.rpartition(": ")[2] for line in said[:-1]} == set(loaded)
    assert "idle slower 0.50 (0.48 to 0.52); loaded slower 0.53 (0.51 to 0.55): meet" in "\n".join(
        said
    )


def test_the_page_has_the_rows_of_the_base() -> None:
    table = speed_verdicts.table()
    assert len(table.splitlines()) > 2
    assert table in speed_verdicts.PAGE.read_text(encoding="utf-8")


def test_the_table_of_costs_has_the_ratio_and_the_recorder_s_share() -> None:
    cost = verdict_cost.Cost("Kit", "a.yml", "3.3.1", 50, "ast pass", 10.0, 65.0, 6, 20.0, 0.5)
    page = verdict_cost.table([cost])
    assert "| Kit `a.yml` | 3.3.1 | ast pass | 10.0 | 65.0 | 6.5 | 6 | 2.5 % |" in page
    assert "1 configs, 6.5 times" not in page
    assert "1 config, 6.5 times the bare training (median)" in page


def test_what_costs_more_than_on_file_is_named() -> None:
    now = {"as before": 1.2, "a little more": 1.3, "worse": 1.4, "new": 9.0}
    before = {"as before": 1.2, "a little more": 1.2, "worse": 1.2, "gone": 1.0}
    assert speed.worse(now, before) == ["worse than on file: worse 1.40 (1.20)"]


def test_the_figures_on_file_can_be_compared() -> None:
    on_file = yaml.safe_load(speed.ON_FILE.read_text(encoding="utf-8"))
    assert "--help over click" in on_file
    memory = {name: figure for name, figure in on_file.items() if name.endswith(", MB")}
    assert all(0.5 < on_file[name] < 20 for name in on_file.keys() - memory.keys())
    assert memory and all(30 < figure < 2000 for figure in memory.values())


def test_a_command_s_time_and_memory_are_those_of_all_its_processes(tmp_path: Path) -> None:
    inner = "a = bytearray(200_000_000); sum(range(3_000_000))"
    outer = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {inner!r}])"
    # From a small process: a child's memory begins with that of the one it was forked from.
    code = f"""
import json, sys
from pathlib import Path
from bench.speed import measure
runs = [measure([sys.executable, "-c", code], Path(".")) for code in ("pass", {outer!r})]
print(json.dumps([[run.cpu, run.memory] for run in runs]))
"""
    env = {**os.environ, "PYTHONPATH": str(Path(speed.__file__).parents[1])}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=env, capture_output=True, check=True
    )
    one, both = json.loads(done.stdout)
    assert 0 < one[0] < both[0]
    assert one[1] < 150 and 200 < both[1] < 400
