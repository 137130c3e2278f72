"""The queue of families: its list, its order, and what it takes for known."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import replace
from subprocess import CompletedProcess
from typing import TYPE_CHECKING

import pytest

from bench.config_queue import PADDLES, Kits
from bench.queue import (
    COSTS,
    STEPS,
    Costs,
    Item,
    Queue,
    cost,
    estimates,
    items,
    ordered,
    read_costs,
    verdicts,
    write_costs,
)
from bench.queue_bare import TIMES, Bare
from codemod.judging.evidence.result import ModeResult, ParityPart, Result
from codemod.judging.evidence.result_files import PARITY_FOLDER, write_result
from codemod.judging.verdict import Verdict
from codemod.reports.survey.families import catalogue
from codemod.training.inject.parity_recorder.files.states import STATES
from codemod.training.runner import recorder_version

if TYPE_CHECKING:
    from pathlib import Path

NEW, OLD = PADDLES


def test_each_family_of_the_list_is_a_row_of_the_survey_once() -> None:
    listed = items()
    assert len({item.key for item in listed}) == len(listed)
    for kit in {item.kit for item in listed}:
        names = {family.name for family in catalogue(kit).families}
        mine = [item.family for item in listed if item.kit == kit and item.paddle == NEW]
        assert set(mine) <= names
        assert len(set(mine)) == len(mine)


def test_the_newer_paddle_comes_first_and_on_it_what_costs_least() -> None:
    dear, cheap, unknown = (Item("Kit", name, f"{name}.yml", NEW) for name in "abc")
    older = Item("Kit", "b", "b.yml", OLD)
    costs: Costs = {dear.key: 90, cheap.key: 30}
    assert ordered([older, unknown, dear, cheap], costs) == [cheap, dear, unknown, older]
    assert cost(older, costs) == cost(cheap, costs)


def test_what_was_not_measured_goes_by_its_bare_training() -> None:
    quick = Bare("Kit", "a.yml", NEW, start_s=10, step_s=0.5)
    slow = Bare("Kit", "b.yml", NEW, start_s=10, step_s=2)
    broken = Bare("Kit", "c.yml", NEW, ended="Dynamic training fails.")
    costs = estimates([slow, broken, quick])
    assert costs[quick.key] == TIMES * (10 + STEPS * 0.5)
    waiting = [Item("Kit", "", config, NEW) for config in ("c.yml", "b.yml", "a.yml")]
    assert [one.config for one in ordered(waiting, costs)] == ["a.yml", "b.yml", "c.yml"]


def test_costs_are_read_as_they_were_written(tmp_path: Path) -> None:
    costs: Costs = {
        ("Kit", "a.yml", NEW): 12,
        ("Kit", "a.yml", OLD): 34,
        ("Other", "b.yml", NEW): 5,
    }
    write_costs(costs, tmp_path / "costs.yaml")
    assert read_costs(tmp_path / "costs.yaml") == costs
    assert read_costs(tmp_path / "none.yaml") == {}
    known = {item.key for item in items()}
    assert set(read_costs(COSTS)) <= known


def test_what_a_command_told_is_its_verdicts_or_its_last_line() -> None:
    said = json.dumps({"modes": {"ast": {"verdict": "pass"}, "sot": {"verdict": "crash"}}})
    assert verdicts(CompletedProcess([], 1, said, "")) == "ast pass, sot crash"
    assert verdicts(CompletedProcess([], 2, "", "a\nThere is no config b.")) == (
        "no result: There is no config b."
    )


@pytest.mark.usefixtures("shipped")
def test_a_result_counts_while_recorder_and_hooks_are_today_s(tmp_path: Path) -> None:
    kit = tmp_path / "hooked" / "PaddleRec"
    kit.mkdir(parents=True)
    (kit / "train.py").write_text("paddle.jit.to_static(net)\n")
    kits = Kits(tmp_path, end=0.0)
    kits.take("PaddleRec", kit)
    queue = Queue(kits)
    item = Item("PaddleRec", "x", "models/x/config.yaml", NEW)
    part = ParityPart(steps=50, hooks={"train.py": STATES["file"](str(kit / "train.py"))})
    mode = ModeResult(Verdict.PASS, "")
    good = Result("PaddleRec", item.config, NEW, {"ast": mode}, device="cpu", parity=part)
    good = replace(good, recorder=recorder_version(), date="2026-01-01T00:00:00+00:00")
    file = tmp_path / PARITY_FOLDER / "PaddleRec" / "x.json"
    file.parent.mkdir(parents=True)
    open_ = {"ast": ModeResult(Verdict.DYNAMIC_FAILS, "")}
    for result, known in (
        (good, True),
        (replace(good, recorder="0"), False),
        (replace(good, modes=open_), False),
        (replace(good, parity=replace(part, steps=8)), False),
        # A net with two optimizers is updated more often than was asked for.
        (replace(good, parity=replace(part, steps=59)), True),
        (replace(good, parity=replace(part, options=("a=1",))), False),
    ):
        write_result(file, result)
        assert queue.known(item) == known
    write_result(file, replace(good, parity=replace(part, steps=8)))
    assert Queue(kits, steps=8).known(item)
    write_result(file, good)
    (kit / "train.py").write_text("paddle.jit.to_static(net.forward)\n")
    assert not queue.known(item)


def test_a_hooked_copy_stays_while_it_is_as_it_would_be_made(tmp_path: Path, minikit: Path) -> None:
    place = tmp_path / "kits" / "PaddleSeg"
    shutil.copytree(minikit, place)
    end = time.monotonic() + 3600
    copy = Kits(tmp_path, end).hooked("PaddleSeg")
    other = copy / "of another queue.txt"
    other.write_text("kept")
    assert Kits(tmp_path, end).hooked("PaddleSeg") == copy
    assert other.exists()
    (place / "tools" / "train.py").write_text("import paddle\n")
    Kits(tmp_path, end).hooked("PaddleSeg")
    assert not other.exists()
    assert (copy / "tools" / "train.py").read_text() == "import paddle\n"
