"""Two processes that train together: each is recorded and judged, then both side by side."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from codemod.base.errors import UsageError
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.ranks import judge_ranks, parted
from codemod.judging.verdict import Verdict
from codemod.training.recipes import Recipe, command_line, run_text
from codemod.training.record import rank_file
from codemod.training.runner import Command, RunRequest, environment, run_once
from tests.parity.builders import gradients, plain, record, step

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.experiments.parity.experiment import JudgedMode
    from codemod.training.record import Record, Step

# Stands for Paddle's launcher, which starts what follows its own options once a rank.
LAUNCHER = """
import os, pathlib, subprocess, sys
words = sys.argv[1:]
ranks, logs = int(words[1]), pathlib.Path(words[words.index("--log_dir") + 1])
script = words[words.index("--log_dir") + 2:]
assert words[2:4] == ["--backend", "gloo"], words
logs.mkdir()
runs = [
    subprocess.run(
        [sys.executable, *script],
        env={**os.environ, "PADDLE_TRAINER_ID": str(rank)},
        stdout=(logs / f"workerlog.{rank}").open("wb"),
    )
    for rank in range(ranks)
]
sys.exit(max(run.returncode for run in runs))
"""
SCRIPT = """
import os, sys
rank = int(os.environ["PADDLE_TRAINER_ID"])
print("rank", rank, os.environ["PADDLE_DISTRI_BACKEND"], "CODEMOD_PARITY" in os.environ)
import parity_recorder
out = parity_recorder.Config(open("request").read()).out
if rank not in [int(word) for word in sys.argv[1:]]:
    open(out, "w").write('{"t":"end","reason":"steps"}\\n')
sys.exit(0 if rank not in [int(word) for word in sys.argv[1:]] else 3)
"""


def run(folder: Path, *failing: str) -> Record:
    package = folder / "paddle" / "distributed"
    package.mkdir(parents=True)
    (folder / "paddle" / "__init__.py").write_text("")
    (package / "__init__.py").write_text("")
    (package / "launch.py").write_text(LAUNCHER)
    (folder / "train.py").write_text(SCRIPT)
    wanted = RunRequest("ast", "ast", 3, ranks=2, backend="gloo")
    (folder / "request").write_text(wanted.request(folder / "runs" / "ast.jsonl"))
    argv = (sys.executable, "-u", "train.py", *failing)
    command = Command(argv, folder, {"PYTHONPATH": str(folder)})
    return run_once(command, wanted, folder / "runs", "cpu", 60.0)


def test_every_rank_writes_a_record_and_a_log(tmp_path: Path) -> None:
    found = run(tmp_path)
    assert [one.outcome for one in (found, *found.others)] == ["ok", "ok"]
    assert rank_file(tmp_path / "runs" / "ast.jsonl", 1).is_file()
    log = (tmp_path / "runs" / "ast.log").read_text()
    # The request is taken out of the environment by each rank, and by none before.
    assert "rank 0 gloo False" in log
    assert "rank 1 gloo False" in log


def test_a_rank_that_fails_is_told_beside_one_that_made_its_steps(tmp_path: Path) -> None:
    found = run(tmp_path, "1")
    assert [one.outcome for one in (found, *found.others)] == ["ok", "fails"]


def test_the_launcher_starts_a_script_only(tmp_path: Path) -> None:
    command = Command((sys.executable, "-c", "pass"), tmp_path)
    with pytest.raises(UsageError, match="starts a script"):
        run_once(command, RunRequest("a", "ast", 1, ranks=2), tmp_path / "runs", "cpu", 60.0)


def test_each_process_has_a_card(tmp_path: Path) -> None:
    def cards(device: str, ranks: int) -> str:
        wanted = RunRequest("a", "ast", 1, ranks=ranks, backend="nccl")
        return environment(wanted, tmp_path / "a", device, {}, tmp_path / "home")[
            "CUDA_VISIBLE_DEVICES"
        ]

    assert (cards("gpu:0", 1), cards("gpu:0", 2), cards("gpu:2", 2)) == ("0", "0,1", "2,3")


def test_options_for_several_processes_are_added_for_them_alone() -> None:
    recipe = Recipe(("t.py",), set=("a=1",), together_set=("f=1",), together_args=("--many",))
    assert command_line(recipe, False, (), {}) == ("t.py", "-o", "a=1")
    many = command_line(recipe, False, ("u=2",), {}, together=True)
    assert many == ("t.py", "--many", "-o", "a=1", "-o", "f=1", "-o", "u=2")
    # Results of recipes without them still count.
    assert "together" not in run_text(Recipe(("t.py",)))


def weighted(*weights: str) -> list[Step]:
    return [replace(one, weights=name) for one, name in zip(plain(), weights, strict=True)]


def ranked(first: Record, *others: Record) -> Record:
    return replace(first, others=others)


def both(one: list[Step], other: list[Step], caught: bool = True) -> Record:
    return ranked(record(one, caught), record(other, caught))


SAME = ("a", "b", "c", "d")


def test_ranks_that_stay_equal_pass() -> None:
    dynamic = both(weighted(*SAME), weighted(*SAME), caught=False)
    static = both(weighted(*SAME), weighted(*SAME))
    rank, found = judge_ranks(Comparison("ast", dynamic, static))
    assert (rank, found.verdict) == (0, Verdict.PASS)
    assert "2 processes, whose weights are the same after every step." in found.reason


def test_the_rank_that_differs_is_named() -> None:
    dynamic = both(weighted(*SAME), weighted(*SAME), caught=False)
    steps = weighted(*SAME)
    wrong = {**gradients(1), "a": gradients(1)["a"] * 2}
    steps[1] = replace(step(1, wrong), weights="b")
    rank, found = judge_ranks(Comparison("ast", dynamic, both(weighted(*SAME), steps)))
    assert (rank, found.verdict) == (1, Verdict.GRADIENT_DIFFERS)
    assert found.reason.startswith("Rank 1 of 2: First at step 1")


def test_an_error_goes_before_the_rank_that_was_ended_for_it() -> None:
    dynamic = both(weighted(*SAME), weighted(*SAME), caught=False)
    ended = replace(record([], True), outcome="fails")
    raised = replace(ended, end={"error": "TypeError", "message": "no"})
    rank, found = judge_ranks(Comparison("ast", dynamic, ranked(ended, raised)))
    assert (rank, found.verdict) == (1, Verdict.FAILS)
    assert "TypeError: no" in found.reason


def test_weights_that_part_in_static_training_alone_are_found() -> None:
    dynamic = both(weighted(*SAME), weighted(*SAME), caught=False)
    static = both(weighted(*SAME), weighted("a", "b", "x", "y"))
    _, found = judge_ranks(Comparison("ast", dynamic, static))
    assert found.verdict is Verdict.STATE_DIFFERS
    assert "differ from step 2 on" in found.reason
    apart = both(weighted(*SAME), weighted("a", "b", "x", "y"), caught=False)
    _, known = judge_ranks(Comparison("ast", apart, static))
    assert known.verdict is Verdict.PASS
    assert "in dynamic training too" in known.reason


def test_weights_after_the_last_step_count() -> None:
    one, other = ({"t": "weights", "opt": 0, "end": {"w": name}} for name in "ab")
    first, second = (record(weighted(*SAME), weights=(line,)) for line in (one, other))
    assert parted(ranked(first, first)) is None
    assert parted(ranked(first, second)) == 4
    assert parted(first) is None


@pytest.mark.slow
@pytest.mark.parametrize("paddle", ["2.6.2", "3.3.1"])
@pytest.mark.parametrize("option", ["--plain", "--unused"])
def test_a_hook_before_the_wrap_passes(
    train: Callable[..., dict[str, JudgedMode]], paddle: str, option: str
) -> None:
    judged = train("together", paddle, arguments=(option,), ranks=2)
    for one in judged.values():
        assert one.judgement.verdict is Verdict.PASS, one.judgement.reason
        assert "whose weights are the same" in one.judgement.reason
        first, second = one.comparison.static, one.comparison.static.others[0]
        assert len(first.steps) == len(second.steps) == 6
        # Each has pictures of its own, and both have the mean gradient.
        assert first.steps[0].losses != second.steps[0].losses
        assert first.steps[0].grads == second.steps[0].grads


@pytest.mark.slow
def test_a_hook_after_the_wrap_is_found_by_two_processes_alone(
    train: Callable[..., dict[str, JudgedMode]],
) -> None:
    (alone,) = train("together", "3.3.1", ("sot",), ("--after",)).values()
    assert alone.judgement.verdict is Verdict.PASS, alone.judgement.reason
    (found,) = train("together", "3.3.1", ("sot",), ("--after",), ranks=2).values()
    assert found.judgement.verdict is Verdict.FAILS, found.judgement.reason
    assert "of 2: " in found.judgement.reason


@pytest.mark.slow
def test_ranks_that_part_in_static_training_are_found(
    train: Callable[..., dict[str, JudgedMode]],
) -> None:
    (found,) = train("together", "3.3.1", ("ast",), ("--apart",), ranks=2).values()
    assert not found.judgement.verdict.passed, found.judgement.reason
    assert found.judgement.reason.startswith("Rank 1 of 2: "), found.judgement.reason
