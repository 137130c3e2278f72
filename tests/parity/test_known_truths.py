"""Faults that Paddle is known to have come out right, on real Paddle, 2.6 and 3.x."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from codemod.judging.evidence.measured import mode_result
from codemod.judging.verdict import Explanation
from tests.parity.conftest import PROGRAMS

if TYPE_CHECKING:
    from collections.abc import Callable

    from codemod.experiments.parity.experiment import JudgedMode

OLD, NEW = "2.6.2", "3.3.1"

# Program, Paddle, mode, verdict, class of the first difference ("" where there is none), the hazard
# that is named, and the text of the source line that it leads to.
TRUTHS = [
    ("sparse_embedding", OLD, "ast", "gradient-differs", "missing", "P-01", "self.table ="),
    ("sparse_embedding", OLD, "sot", "gradient-differs", "missing", "P-01", "self.table ="),
    ("sparse_embedding", NEW, "ast", "gradient-differs", "sparse-made-dense", "P-01", "self.table"),
    ("frozen_norm_gan", OLD, "ast", "gradient-differs", "isolated", "P-02", ""),
    ("frozen_norm_gan", NEW, "sot", "gradient-differs", "isolated", "P-02", ""),
    ("python_random", OLD, "ast", "loss-differs", "frozen-randomness", "D-43", "random.random()"),
    ("python_random", NEW, "ast", "loss-differs", "frozen-randomness", "D-43", "random.random()"),
    ("counter_state", OLD, "ast", "loss-differs", "frozen-state", "D-25", "self.seen += 1"),
    ("learning_rate", OLD, "ast", "state-differs", "learning-rate", "", ""),
    ("learning_rate", NEW, "ast", "state-differs", "learning-rate", "", ""),
    ("running_statistics", OLD, "ast", "buffer-differs", "drift", "", ""),
    ("running_statistics", NEW, "ast", "buffer-differs", "drift", "", ""),
    ("carried_state", OLD, "ast", "state-differs", "carried", "", ""),
    ("carried_state", NEW, "ast", "state-differs", "carried", "", ""),
    ("carried_state", NEW, "sot", "state-differs", "carried", "", ""),
    ("moving_teacher", OLD, "ast", "state-differs", "weights", "", ""),
    ("moving_teacher", NEW, "ast", "state-differs", "weights", "", ""),
    ("moving_teacher", NEW, "sot", "loss-differs", "other-start", "", ""),
    ("hook_after_parallel", OLD, "sot", "fails", "", "P-03", "to_static(layer)"),
    ("hook_after_parallel", NEW, "ast", "fails", "", "P-03", "to_static(layer)"),
    ("ema_deepcopy", OLD, "ast", "not-static", "", "P-04", "to_static(layer)"),
    ("ema_deepcopy", NEW, "sot", "pass", "", "", ""),
    ("copied_before", OLD, "ast", "pass", "", "", ""),
    ("copied_before", NEW, "sot", "pass", "", "", ""),
    ("two_wrapped", OLD, "sot", "pass", "", "", ""),
    ("dead_switch", OLD, "sot", "not-static", "", "P-05", ""),
    ("shared_draws", OLD, "ast", "pass", "", "", ""),
    ("shared_draws", NEW, "sot", "pass", "", "", ""),
    ("kept_output", OLD, "ast", "pass", "", "", ""),
    ("kept_output", NEW, "ast", "pass", "", "", ""),
    ("kept_output", NEW, "sot", "pass", "", "", ""),
    ("rounding", NEW, "ast", "pass-tolerance", "", "", ""),
    ("no_tolist", OLD, "ast", "fails", "", "D-06", "tolist()"),
    ("no_tolist", NEW, "ast", "fails", "", "D-06", "tolist()"),
    ("detach_inplace", OLD, "sot", "loss-differs", "drift", "P-13", ""),
    ("detach_inplace", NEW, "sot", "loss-differs", "drift", "P-13", ""),
    ("prints", OLD, "sot", "gradient-differs", "isolated", "D-07", "print(middle.mean())"),
    ("prints", NEW, "sot", "pass-partial", "", "D-07", "print(middle.mean())"),
    ("returned_beside", OLD, "ast", "gradient-differs", "isolated", "D-63", "self.body ="),
    ("returned_beside", NEW, "ast", "pass-partial", "", "", ""),
    ("direct_forward", OLD, "ast", "pass-partial", "", "", ""),
    ("direct_forward", NEW, "ast", "pass-partial", "", "", ""),
]


@pytest.mark.slow
@pytest.mark.parametrize(("program", "paddle", "mode", "verdict", "kind", "hazard", "line"), TRUTHS)
def test_known_truth(
    train: Callable[..., dict[str, JudgedMode]],
    program: str,
    paddle: str,
    mode: str,
    verdict: str,
    kind: str,
    hazard: str,
    line: str,
) -> None:
    judged = train(program, paddle, (mode,))[mode]
    found = judged.judgement
    assert found.verdict == verdict, found.reason
    assert (found.first.kind if found.first else "") == kind, found.reason
    content = mode_result(judged.comparison, judged.judgement, PROGRAMS)
    assert str(PROGRAMS) not in content.reason
    named = content.hazard or Explanation("", "", "")
    assert named.id == hazard
    assert bool(named.file) is bool(line), named
    if named.file and named.line:
        text = (PROGRAMS / named.file).read_text().splitlines()[named.line - 1]
        assert line in text


@pytest.mark.slow
def test_missing_gradient_names_the_table(train: Callable[..., dict[str, JudgedMode]]) -> None:
    first = train("sparse_embedding", OLD, ("ast",))["ast"].judgement.first
    assert first is not None
    assert (first.step, first.name) == (0, "Net.table.weight")


@pytest.mark.slow
def test_frozen_norms_are_named_and_nothing_else(
    train: Callable[..., dict[str, JudgedMode]],
) -> None:
    judged = train("frozen_norm_gan", OLD, ("sot",), controls=False)["sot"]
    assert judged.judgement.first is not None
    names = {diff.name for step in judged.comparison.distances[:2] for diff in step.grads}
    assert {name.rpartition(".")[2] for name in names} == {"scale", "bias"}
    assert all(".3." in name for name in names), "the discriminator's norm is its fourth layer"


@pytest.mark.slow
def test_unusual_trainers_are_recorded(train: Callable[..., dict[str, JudgedMode]]) -> None:
    judged = train("unusual", NEW, ("ast",), steps=4)["ast"]
    # Only one of the two nets has a hook.
    assert judged.judgement.verdict == "pass-partial", judged.judgement.reason
    steps = judged.comparison.static.steps
    assert [(step.opt, step.number) for step in steps[:4]] == [(0, 0), (1, 0), (0, 1), (1, 1)]
    assert max(step.number for step in steps) == 3
    assert [len(step.losses) for step in steps[:2]] == [1, 2], "each backward is one loss"
    kinds = {name: mark.kind for name, mark in steps[1].grads.items()}
    assert kinds["Net#1.frozen.weight"] == "f"
    assert kinds["Net#1.unused.weight"] == "n"
    assert kinds["Net#1.head.weight"] == "d"
    assert all(step.static.get("ast_runs", 0) for step in steps[1::2])
    assert judged.comparison.static.inputs[0]["layer"] == "Net"


@pytest.mark.slow
@pytest.mark.parametrize(("paddle", "mode"), [(OLD, "ast"), (NEW, "ast"), (NEW, "sot")])
def test_an_output_that_a_dynamic_visit_left_is_no_input_of_the_static_one(
    train: Callable[..., dict[str, JudgedMode]], paddle: str, mode: str
) -> None:
    # Paddle makes a buffer of it, and the program's gradient would go through that step's graph.
    judged = train("kept_output", paddle, (mode,))[mode].judgement
    assert judged.legs.get("read") == "pass", judged.reason
