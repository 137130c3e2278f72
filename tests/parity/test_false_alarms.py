"""Twenty models known to be equal pass; twenty with one gradient off by a thousandth do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.judging import thresholds
from codemod.judging.comparing.lockstep import SideRun
from codemod.judging.rounding.lockstep_findings import finding
from codemod.training.runner import Command, RunRequest, run_once
from codemod.training.sides import SIDES
from tests.parity.conftest import PROGRAMS, paddle_python

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from codemod.experiments.parity.experiment import JudgedMode

MODELS = [
    "linear",
    "mlp",
    "mlp-gelu",
    "conv",
    "strided",
    "depthwise",
    "transposed",
    "max-pool",
    "mean-pool",
    "batch-norm",
    "group-norm",
    "instance-norm",
    "layer-norm",
    "dropout",
    "residual",
    "lstm",
    "gru",
    "attention",
    "attention-dropout",
    "gated",
]
# Every model meets one mode and one Paddle; all four pairs are met five times.
PAIRS = [("ast", "2.6.2"), ("sot", "3.3.1"), ("ast", "3.3.1"), ("sot", "2.6.2")]


@pytest.mark.slow
@pytest.mark.parametrize("number", range(len(MODELS)), ids=MODELS)
def test_equal_models_pass_and_a_planted_fault_is_found(
    train: Callable[..., dict[str, JudgedMode]], number: int
) -> None:
    mode, paddle = PAIRS[number % len(PAIRS)]
    arguments = ("--model", MODELS[number])
    equal = train("known_equal", paddle, (mode,), arguments)[mode]
    assert equal.judgement.verdict in ("pass", "pass-partial"), equal.judgement.reason
    names = list(equal.comparison.dynamic.params[0]["shapes"])
    first = equal.comparison.dynamic.steps[0]
    # The gradient of a bias before a norm is zero but for rounding: a fault there is none.
    real = [n for n in names if first.grads[n].norm > thresholds.ZERO_SHARE * first.grad_norm]
    chosen = real[number % len(real)]
    # Only the static run plants the fault, so the arguments may be the same for both.
    fault = (*arguments, "--fault", str(names.index(chosen)))
    planted = train("known_equal", paddle, (mode,), fault, controls=False)[mode].judgement
    assert planted.verdict == "gradient-differs", planted.reason
    assert planted.first is not None
    assert planted.first.name == chosen
    # A sketch of eight numbers estimates a distance to a quarter (one sigma); this is three.
    assert planted.first.relative == pytest.approx(1e-3, rel=0.75)


@pytest.mark.slow
@pytest.mark.parametrize("paddle", ["2.6.2", "3.3.1"])
def test_a_slice_of_a_list_of_layers_is_no_net_of_its_own(
    train: Callable[..., dict[str, JudgedMode]], paddle: str
) -> None:
    # SOT keeps the list that a slice makes: statistics of its layers had another name there.
    modes = ("ast", "sot")
    ends = train("known_equal", paddle, modes, ("--model", "sliced"), controls=False)
    for mode in modes:
        judged = ends[mode]
        assert judged.judgement.verdict in ("pass", "pass-partial"), judged.judgement.reason
        names = {name for step in judged.comparison.static.steps for name in step.buffers}
        assert len(names) == 6
        assert all(name.startswith("Sliced.parts.") for name in names), names


@pytest.mark.slow
@pytest.mark.parametrize("paddle", ["2.6.2", "3.3.1"])
def test_small_gradients_of_a_net_that_is_not_bit_equal(
    train: Callable[..., dict[str, JudgedMode]], paddle: str
) -> None:
    equal = train("rounding", paddle, ("ast",))["ast"]
    assert equal.judgement.verdict == "pass-tolerance", equal.judgement.reason
    assert equal.comparison.lockstep is not None
    by_pair: dict[int, list[str]] = {}
    for turn in equal.comparison.lockstep.turns:
        by_pair.setdefault(turn.pair, []).append(turn.side)
    # Control sides are asked now and then; the others at every batch, in their order. A look at
    # the first batch is a pair of its own, without an update.
    assert by_pair[1] == by_pair[5] == list(SIDES), "a look at the data broke the turns"
    assert {tuple(sides) for sides in by_pair.values()} == {SIDES, SIDES[:2]}
    first = equal.comparison.dynamic.steps[0]
    tiny = first.grads["Net.tiny.weight"].norm
    noise = first.grads["Net.one.bias"].norm
    assert 0 < noise < thresholds.ZERO_SHARE * first.grad_norm, "the bias before the norm"
    assert 0 < tiny < thresholds.ZERO_SHARE * first.grad_norm
    faulty = train("rounding", paddle, ("ast",), ("--small-fault",))["ast"].judgement
    assert faulty.verdict.differs, faulty.reason
    assert faulty.first is not None
    assert faulty.first.name == "loss" or faulty.first.name.startswith("Net.tiny.")


@pytest.mark.slow
@pytest.mark.parametrize("paddle", ["2.6.2", "3.3.1"])
def test_weights_of_a_second_optimizer_are_compared_on_no_side_before_its_first_step(
    train: Callable[..., dict[str, JudgedMode]], paddle: str
) -> None:
    """The first side took them for weights that nothing trains, and the others did not."""
    found = train("rounding_gan", paddle, ("ast",))["ast"].judgement
    assert found.verdict.passed and found.first is None, found.reason
    assert "agree up to rounding in float64" in str(found.reason)


@pytest.mark.slow
@pytest.mark.parametrize("paddle", ["2.6.2", "3.3.1"])
def test_rows_that_adam_changes_by_chance(
    train: Callable[..., dict[str, JudgedMode]], paddle: str
) -> None:
    judged = train("sparse_rows", paddle, ("ast",), steps=40)["ast"].judgement
    # The look-up stays dynamic: a program with it would lose its sparse gradient.
    assert judged.verdict == "pass-partial", judged.reason


@pytest.mark.slow
@pytest.mark.parametrize("paddle", ["2.6.2", "3.3.1"])
def test_sparse_gradients_that_are_left_until_the_next_step(
    train: Callable[..., dict[str, JudgedMode]], paddle: str
) -> None:
    judged = train("sparse_rounding", paddle, ("ast",), steps=12)["ast"]
    assert judged.judgement.verdict == "pass-tolerance", judged.judgement.reason
    lockstep = judged.comparison.lockstep
    assert lockstep is not None
    assert [turn.side for turn in lockstep.turns[: 2 * len(SIDES)]] == list(SIDES) * 2
    first = [turn for turn in lockstep.turns if turn.side == "dynamic"]
    assert all(turn.grads["Net.table.weight"].kind == "s" for turn in first)


@pytest.mark.slow
def test_a_loader_that_is_started_anew_leads_at_once(tmp_path: Path) -> None:
    argv = (str(paddle_python("3.3.1")), str(PROGRAMS / "restarted_loader.py"), "--to-static")
    # Five batches an epoch, and controls at every fifth pair: the ends fall everywhere.
    wanted = RunRequest("sides", "ast", 14, sides=SIDES)
    record = run_once(Command(argv, PROGRAMS), wanted, tmp_path, "cpu", 180)
    run = SideRun(record)
    assert run.sound
    assert run.pairs == 14
    assert finding(run) is None
    assert {turn.pair for _, turn in run.turns("again")} >= {5, 10}
    assert all(not turn.grads for _, turn in run.turns("again"))
