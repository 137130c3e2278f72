"""The free static run beside dynamic training's, where every update agrees from the same weights."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from codemod.judging.comparing.comparison import Comparison
from codemod.judging.judge import judge
from codemod.judging.rounding.free_course import free_finding
from tests.judging.sides import sided
from tests.parity.builders import gradients, mark, plain, record, step

if TYPE_CHECKING:
    from codemod.judging.verdict import Judgement
    from codemod.training.record import Step

STEPS = 6


def rounded(size: float = 1e-6) -> list[Step]:
    """Steps that part from the plain ones by rounding, from step 1 on."""
    steps = plain(STEPS)
    for number in range(1, STEPS):
        moved = {**gradients(number), "b": gradients(number)["b"] * np.float32(1 + size)}
        steps[number] = step(number, moved, loss=1 + size / 10)
    return steps


def times(one: Step, factor: float) -> Step:
    """The step with all gradients times a factor."""
    grads = {name: mark(g * np.float32(factor)) for name, g in gradients(one.number).items()}
    return replace(one, grads=grads)


def buffered(steps: list[Step], factor: float = 1.0) -> list[Step]:
    """The steps with a running mean, which is so many times as large from step 2 on."""
    means = [(1.0 + one.number) * (factor if one.number >= 2 else 1.0) for one in steps]
    return [
        replace(one, buffers={"mean": mark(np.full(8, mean, "f4"))})
        for one, mean in zip(steps, means, strict=True)
    ]


def judged(static: list[Step], dynamic: list[Step] | None = None, **fields: object) -> Judgement:
    """The verdict of a free static run whose updates agree in both runs of all sides."""
    base = record(dynamic or plain(STEPS))
    case = Comparison(
        "ast",
        base,
        record(static, caught=True),
        base,
        ulp=record(rounded()),
        lockstep=sided(STEPS, double=False),
        lockstep_double=sided(STEPS),
    )
    return judge(replace(case, **fields))  # type: ignore[arg-type]


def test_a_run_that_parts_by_rounding_passes() -> None:
    assert judged(rounded()).verdict == "pass-tolerance"
    assert judged(buffered(rounded(), 1.01), buffered(plain(STEPS))).verdict == "pass-tolerance"


@pytest.mark.parametrize("since", [2, 5])
@pytest.mark.parametrize("factor", [1000.0, 0.0, -1.0, math.nan, math.inf])
def test_gradients_that_rounding_does_not_make(factor: float, since: int) -> None:
    found = judged([times(one, factor) if one.number >= since else one for one in rounded()])
    assert found.first is not None
    assert (found.verdict, found.first.step) == ("gradient-differs", since)
    assert not math.isnan(found.first.relative)


@pytest.mark.parametrize("factor", [2.0, 0.0, math.nan])
def test_buffers_that_rounding_does_not_make(factor: float) -> None:
    found = judged(buffered(rounded(), factor), buffered(plain(STEPS)))
    assert found.first is not None
    assert (found.verdict, found.first.step) == ("buffer-differs", 2)


def test_a_loss_that_creeps_out_of_dynamic_training_s_order_of_magnitude() -> None:
    creeping = [replace(one, losses=(1.0 + 1e-3 * 30**one.number,)) for one in rounded()]
    found = judged(creeping)
    assert found.first is not None
    assert (found.verdict, found.first.step) == ("loss-differs", 4)


def test_as_far_as_the_controls_go_is_rounding() -> None:
    """Chaos that turns dynamic training's own gradients and swings their size excuses as much."""
    astray = [times(one, -40.0) if one.number == 3 else one for one in rounded()]
    assert judged(astray).verdict == "gradient-differs"
    wild = [times(one, -8.0) if one.number == 4 else one for one in plain(STEPS)]
    assert judged(astray, ulp=record(wild)).verdict == "pass-tolerance"


def test_a_gradient_that_dynamic_training_itself_loses_says_nothing_when_it_is_zero() -> None:
    def silent(steps: list[Step], at: int) -> list[Step]:
        lost = {"c": mark(np.zeros(7, "f4"))}
        return [replace(s, grads={**s.grads, **lost}) if s.number == at else s for s in steps]

    assert judged(silent(rounded(), 3)).verdict == "gradient-differs"
    assert judged(silent(rounded(), 3), silent(plain(STEPS), 1)).verdict == "pass-tolerance"


def test_where_rounding_leaves_the_finite_numbers_it_may_leave_them() -> None:
    bad = [times(one, math.nan) if one.number == 4 else one for one in rounded()]
    assert judged(bad, ulp=record(bad)).verdict == "pass-tolerance"
    early = [times(one, math.nan) if one.number == 3 else one for one in rounded()]
    assert judged(early, ulp=record(bad)).verdict == "gradient-differs"


def test_one_optimizer_s_chaos_does_not_end_another_s() -> None:
    """A critic is at its fifth update while the generator is at its second."""
    bad = [replace(one, losses=(math.nan,)) if one.number == 1 else one for one in rounded()]
    other = [replace(one, opt=1) for one in rounded()[:2]]
    both = [*rounded()[:4], *other, *rounded()[4:]]
    shaken = [*rounded()[:4], *(replace(one, opt=1) for one in bad[:2]), *rounded()[4:]]
    astray = [times(one, 1000.0) if one.number == 3 and not one.opt else one for one in both]
    bases = [*plain(STEPS)[:4], *(replace(s, opt=1) for s in plain(2)), *plain(STEPS)[4:]]
    case = Comparison(
        "ast", record(bases), record(astray, caught=True), record(bases), ulp=record(shaken)
    )
    found = free_finding(case)
    assert found is not None
    assert (found.verdict, found.first.step, found.first.opt) == ("gradient-differs", 3, 0)


def test_an_average_of_weights_is_no_buffer() -> None:
    def averaged(steps: list[Step], factor: float) -> list[Step]:
        name = "EMA.shadow[w]"
        return [
            steps[0],
            *(replace(s, buffers={name: mark(np.full(8, factor))}) for s in steps[1:]),
        ]

    case = Comparison(
        "ast", record(averaged(plain(STEPS), 1)), record(averaged(rounded(), 3), caught=True)
    )
    found = free_finding(case)
    assert found is not None
    assert (found.verdict, found.first.kind) == ("state-differs", "weights")
