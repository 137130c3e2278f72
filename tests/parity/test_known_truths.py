"""Faults that Paddle is known to have come out right, on real Paddle, 2.6 and 3.x."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.parity.experiment import Judged

OLD, NEW = "2.6.2", "3.3.1"

# Program, Paddle, mode, verdict, class of the first difference ("" where there is none).
TRUTHS = [
    ("sparse_embedding", OLD, "ast", "gradient-differs", "missing"),
    ("sparse_embedding", OLD, "sot", "gradient-differs", "missing"),
    ("sparse_embedding", NEW, "ast", "gradient-differs", "sparse-made-dense"),
    ("frozen_norm_gan", OLD, "ast", "gradient-differs", "isolated"),
    ("frozen_norm_gan", NEW, "sot", "gradient-differs", "isolated"),
    ("python_random", OLD, "ast", "loss-differs", "frozen-randomness"),
    ("python_random", NEW, "ast", "loss-differs", "frozen-randomness"),
    ("counter_state", OLD, "ast", "loss-differs", "frozen-state"),
    ("hook_after_parallel", OLD, "sot", "fails", ""),
    ("hook_after_parallel", NEW, "ast", "fails", ""),
    ("ema_deepcopy", OLD, "ast", "not-static", ""),
    ("ema_deepcopy", NEW, "sot", "pass", ""),
    ("dead_switch", OLD, "sot", "not-static", ""),
    ("rounding", NEW, "ast", "pass-tolerance", ""),
    ("eval_between", OLD, "ast", "pass", ""),
    ("eval_between", NEW, "sot", "pass", ""),
]


@pytest.mark.slow
@pytest.mark.parametrize(("program", "paddle", "mode", "verdict", "kind"), TRUTHS)
def test_known_truth(
    train: Callable[..., dict[str, Judged]],
    program: str,
    paddle: str,
    mode: str,
    verdict: str,
    kind: str,
) -> None:
    # More steps than the programs that check something at their end have.
    steps = 20 if program == "eval_between" else 6
    found = train(program, paddle, (mode,), steps=steps)[mode].verdict
    assert found.verdict == verdict, found.reason
    assert (found.first.kind if found.first else "") == kind, found.reason


@pytest.mark.slow
def test_missing_gradient_names_the_table(train: Callable[..., dict[str, Judged]]) -> None:
    first = train("sparse_embedding", OLD, ("ast",))["ast"].verdict.first
    assert first is not None
    assert (first.step, first.name) == (0, "Net.table.weight")


@pytest.mark.slow
def test_frozen_norms_are_named_and_nothing_else(train: Callable[..., dict[str, Judged]]) -> None:
    judged = train("frozen_norm_gan", OLD, ("sot",), controls=False)["sot"]
    assert judged.verdict.first is not None
    names = {diff.name for step in judged.case.distances[:2] for diff in step.grads}
    assert {name.rpartition(".")[2] for name in names} == {"scale", "bias"}
    assert all(".3." in name for name in names), "the discriminator's norm is its fourth layer"


@pytest.mark.slow
def test_unusual_trainers_are_recorded(train: Callable[..., dict[str, Judged]]) -> None:
    judged = train("unusual", NEW, ("ast",), steps=4)["ast"]
    # Only one of the two nets has a hook.
    assert judged.verdict.verdict == "pass-partial", judged.verdict.reason
    steps = judged.case.static.steps
    assert [(step.opt, step.number) for step in steps[:4]] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert max(step.number for step in steps) == 3
    assert [len(step.losses) for step in steps[:2]] == [1, 2], "each backward is one loss"
    kinds = {name: mark.kind for name, mark in steps[1].grads.items()}
    assert kinds["Net#1.frozen.weight"] == "f"
    assert kinds["Net#1.unused.weight"] == "n"
    assert kinds["Net#1.head.weight"] == "d"
    assert all(step.static.get("ast_runs", 0) for step in steps[1::2])
    assert judged.case.static.inputs[0]["layer"] == "Net"
