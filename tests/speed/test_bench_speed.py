"""The programs that measure speed and cost: what they list, and what they say of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest
import yaml

from bench import speed, speed_load, speed_verdicts, verdict_cost
from bench.config_queue import PADDLES
from codemod.base.json_form import to_json
from codemod.judging.speed.speed import Ratio, SpeedVerdict
from codemod.judging.speed.timings import STATIC
from codemod.training.recipes import read_recipe
from tests.judging.test_timings import process, row, turn


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


def test_pairs_of_a_state_are_those_that_lie_wholly_in_it() -> None:
    turns = process(0.5, pairs=20).turns
    # Ten pairs warm up; the 25th turn is the second one of a pair, and that pair began before.
    inside = speed_load.pairs(turns, 24, 31)
    assert [round(one[STATIC], 6) for one in inside] == [0.02, 0.02]
    assert speed_load.pairs(turns, 0, 20) == []
    late = (*turns[:29], turn(14, STATIC, 500.0, traces=1), *turns[30:])
    assert len(speed_load.pairs(late, 24, 31)) == 1


def test_the_page_has_the_rows_of_the_base() -> None:
    table = speed_verdicts.table()
    assert len(table.splitlines()) > 2
    assert table in speed_verdicts.PAGE.read_text(encoding="utf-8")


def test_the_table_of_costs_has_the_ratio_and_the_recorder_s_share() -> None:
    cost = verdict_cost.Cost("Kit", "a.yml", "3.3.1", 50, "ast pass", 10.0, 65.0, 6, 20.0, 0.5)
    page = verdict_cost.table([cost])
    row = "| Kit `a.yml` | 3.3.1 | ast pass | 10.0 | 65.0 | 6.5 | 6 | – | 0.50 of 20.0 ms, 2.5 % |"
    assert row in page
    assert "1 config, 6.5 times the bare training (median)" in page
    assert "more than 5 %" not in page


def test_a_recorder_above_its_aim_is_told_with_the_steps_that_are_too_short() -> None:
    cost = verdict_cost.Cost("Kit", "a.yml", "3.3.1", 50, "ast pass", 10.0, 65.0, 6, 20.0, 0.5)
    short = replace(cost, step_ms=2.0)
    assert "in 1 of them, whose steps take 2.0 to 2.0 ms" in verdict_cost.table([cost, short])


def test_steps_that_others_interrupt_do_not_count_for_the_recorder_s_share() -> None:
    quiet, interrupted = [0.002] * 5, [0.05] * 45
    assert verdict_cost.least_ms([*interrupted, *quiet, 0.002]) == 2.0


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


@pytest.mark.parametrize("code", [2, 127])
def test_what_did_not_run_has_no_time(code: int, tmp_path: Path) -> None:
    """A peer that was not installed came out as the fastest: the shell had not found it."""
    with pytest.raises(SystemExit, match=f"ended with {code}: nothing was measured"):
        speed.measure([sys.executable, "-c", f"raise SystemExit({code})"], tmp_path)
    assert speed.measure([sys.executable, "-c", "raise SystemExit(1)"], tmp_path).wall > 0
