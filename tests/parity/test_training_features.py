"""The training features of the official guide, under parity, on real Paddle 2.6 and 3.x."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from codemod.judging import captured
from codemod.judging.comparing.compare import compare
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.evidence.measured import mode_result
from codemod.judging.judge import judge
from codemod.judging.where import computed_at
from codemod.training.runner import Command, RunRequest, run_once
from tests.parity.conftest import PROGRAMS, paddle_python

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.experiments.parity.experiment import JudgedMode
    from codemod.training.record import Record

    Train = Callable[..., dict[str, JudgedMode]]

PADDLES = ("2.6.2", "3.3.1")
BOTH = [(paddle, mode) for paddle in PADDLES for mode in ("ast", "sot")]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("paddle", "mode"), BOTH)
def test_mixed_precision_that_is_not_real_is_told(train: Train, paddle: str, mode: str) -> None:
    judged = train("amp", paddle, (mode,))[mode]
    assert judged.judgement.verdict == "pass", judged.judgement.reason
    assert "mixed precision" in judged.judgement.reason
    fields = mode_result(judged.comparison, judged.judgement)
    assert fields.amp == "not-real"
    assert judged.comparison.dynamic.count("amp_asked") == 6
    assert judged.comparison.static.count("amp_real") == 0


def test_without_mixed_precision_nothing_is_said_of_it(train: Train) -> None:
    judged = train("build_strategy", "2.6.2", ("ast",), controls=False)["ast"]
    assert mode_result(judged.comparison, judged.judgement).amp is None


@pytest.mark.parametrize("paddle", PADDLES)
def test_build_strategy(train: Train, paddle: str) -> None:
    judged = train("build_strategy", paddle, ("ast",))["ast"]
    # A fused kernel may round otherwise.
    assert judged.judgement.verdict.passed, judged.judgement.reason
    strategy = judged.comparison.static.hooks[0]["build_strategy"]
    assert {"fuse_elewise_add_act_ops", "fuse_bn_act_ops", "enable_inplace"} <= set(strategy)


@pytest.mark.parametrize(("paddle", "verdict"), [("2.6.2", "loss-differs"), ("3.3.1", "pass")])
def test_build_strategy_that_loses_an_addition(train: Train, paddle: str, verdict: str) -> None:
    judged = train("build_strategy", paddle, ("sot",), ("--scalar",))["sot"]
    assert judged.judgement.verdict == verdict, judged.judgement.reason


@pytest.mark.parametrize("paddle", PADDLES)
@pytest.mark.parametrize(("arguments", "programs"), [(("--spec",), 1), ((), 4)])
def test_programs_of_dynamic_shapes_under_ast(
    train: Train, paddle: str, arguments: tuple[str, ...], programs: int
) -> None:
    judged = train("dynamic_shapes", paddle, ("ast",), arguments, steps=12)["ast"]
    assert judged.judgement.verdict == "pass", judged.judgement.reason
    assert captured.programs(judged.comparison.static) == programs
    assert captured.late_retraces(judged.comparison.static) == 0, (
        "all shapes were met in the first half"
    )


@pytest.mark.parametrize(("paddle", "mode"), BOTH)
def test_a_hook_with_a_spec_is_exported_by_it(train: Train, paddle: str, mode: str) -> None:
    words = ("--other-spec",)
    judged = train("dynamic_shapes", paddle, (mode,), words, steps=12, controls=False)[mode]
    assert judged.judgement.legs["export"] == "pass", judged.judgement.reason


@pytest.mark.parametrize("paddle", PADDLES)
def test_retraces_of_dynamic_shapes_under_sot(train: Train, paddle: str) -> None:
    judged = train("dynamic_shapes", paddle, ("sot",), steps=12)["sot"]
    assert judged.judgement.verdict.passed, judged.judgement.reason
    fields = mode_result(judged.comparison, judged.judgement)
    assert fields.retraces is not None and fields.retraces > 0
    assert judged.comparison.static.count("translations") == fields.retraces + 1


@pytest.mark.parametrize(("paddle", "mode"), BOTH)
def test_saved_after_static_training_computes_the_same(
    tmp_path: Path, paddle: str, mode: str
) -> None:
    found = {}
    for name, words in (("dynamic", ()), (mode, ("--to-static",))):
        out = tmp_path / f"{name}.npz"
        run(tmp_path, paddle, name, 99, "save_load", "--out", str(out), *words)
        found[name] = np.load(out)
    np.testing.assert_array_equal(found[mode]["trained"], found["dynamic"]["trained"])
    np.testing.assert_allclose(found[mode]["loaded"], found[mode]["trained"], rtol=1e-5, atol=1e-6)
    np.testing.assert_array_equal(found[mode]["loaded"], found["dynamic"]["loaded"])


@pytest.mark.parametrize(("paddle", "mode"), BOTH)
def test_evaluation_between_steps(train: Train, paddle: str, mode: str) -> None:
    judged = train("eval_between", paddle, (mode,), steps=20)[mode]
    assert judged.judgement.verdict == "pass", judged.judgement.reason
    seen = {step.buffers["Layer.evaluated"].digest for step in judged.comparison.static.steps}
    assert len(seen) == 10, "each evaluation left its output"


@pytest.mark.parametrize(("paddle", "mode"), [("2.6.2", "ast"), ("3.3.1", "sot")])
@pytest.mark.parametrize(("first", "second"), [("static", "dynamic"), ("dynamic", "static")])
def test_resuming_from_a_checkpoint_of_the_other_side(
    tmp_path: Path, paddle: str, mode: str, first: str, second: str
) -> None:
    def side(name: str) -> tuple[str, ...]:
        return ("--to-static",) if name == "static" else ()

    whole = run(tmp_path, paddle, "dynamic", 12, "resume", "--whole")
    checkpoint = str(tmp_path)
    run(tmp_path, paddle, mode, 99, "resume", "--save", checkpoint, *side(first))
    resumed = run(tmp_path, paddle, mode, 6, "resume", "--load", checkpoint, *side(second))
    assert captured.any_step(resumed) is (second == "static")
    distances = compare(renumbered(whole), resumed)
    assert len(distances) == 6
    assert all(step.losses_match and not step.grads for step in distances)
    assert all(step.rates is None for step in distances)


def renumbered(whole: Record) -> Record:
    """The last six of twelve steps as a run of their own."""
    from dataclasses import replace

    steps = tuple(replace(step, number=step.number - 6) for step in whole.steps[6:])
    return replace(whole, steps=steps)


def run(folder: Path, paddle: str, mode: str, steps: int, program: str, *words: str) -> Record:
    """One run of a program, outside any experiment."""
    argv = (str(paddle_python(paddle)), str(PROGRAMS / f"{program}.py"), *words)
    wanted = RunRequest(f"{program}-{len(list(folder.glob('runs/*.jsonl')))}", mode, steps)
    record = run_once(Command(argv, PROGRAMS), wanted, folder / "runs", "cpu", 180.0)
    assert record.outcome == "ok", record.end
    return record


@pytest.mark.parametrize("paddle", PADDLES)
def test_the_record_says_where_it_was(tmp_path: Path, paddle: str) -> None:
    """A device that was asked for and not used is the whole run's end, however equal it was."""
    argv = (str(paddle_python(paddle)), str(PROGRAMS / "build_strategy.py"))
    here, there = (
        run_once(
            Command(argv, PROGRAMS), RunRequest("run", "dynamic", 3), tmp_path / name, name, 120
        )
        for name in ("cpu", "gpu:0")
    )
    assert computed_at(here) == computed_at(there) == ("cpu",)
    (params,) = here.params
    assert params["device"] == "cpu"
    assert params["places"]["losses"] == {"cpu": 1}
    found = judge(Comparison("ast", there, there))
    assert found.reason == "The dynamic run was asked to train on gpu:0, and computed on cpu."
