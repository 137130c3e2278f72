"""Training that says nothing of the hook is no pass, however equal."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

from codemod.judging.comparing.comparison import Comparison
from codemod.judging.judge import judge
from tests.parity.builders import gradients, plain, record, step

if TYPE_CHECKING:
    from codemod.judging.verdict import Judgement
    from codemod.training.record import Step


def both(steps: list[Step], static: list[Step] | None = None) -> Judgement:
    """Two runs, equal to the bit where no other steps are given for the static one."""
    made = record(steps)
    return judge(Comparison("ast", made, record(static or steps, caught=True), made))


def long(count: int = 12) -> list[Step]:
    return plain(count)


@pytest.mark.parametrize("loss", [math.nan, math.inf, -math.inf])
def test_a_loss_that_is_not_finite_on_both_sides(loss: float) -> None:
    steps = [replace(one, losses=(loss,)) if one.number >= 3 else one for one in long()]
    found = both(steps)
    assert found.verdict == "not-run"
    assert f"the dynamic loss is {loss:g} at step 3; a recipe with a smaller" in found.reason


def test_a_gradient_and_a_buffer_that_are_not_finite() -> None:
    steps = long()
    steps[5] = step(5, {**gradients(5), "b": np.full(30, np.nan, "f4")})
    assert "b is not finite at step 5" in both(steps).reason
    kept = [replace(one, buffers=one.grads) for one in long()]
    kept[2] = replace(kept[2], buffers=steps[5].grads)
    assert both(kept).verdict == "not-run"


def test_a_static_run_alone_that_is_not_finite_differs() -> None:
    static = [replace(one, losses=(math.nan,)) if one.number == 7 else one for one in long()]
    found = both(long(), static)
    assert found.verdict == "loss-differs"
    assert found.first is not None
    assert found.first.step == 7


def test_a_gradient_that_was_lost_before_the_training_diverged_is_told() -> None:
    steps = [replace(one, losses=(math.nan,)) if one.number >= 6 else one for one in long()]
    static = [*steps]
    static[2] = step(2, {**gradients(2), "b": None})
    assert both(steps, static).verdict == "gradient-differs"
    static = [*steps]
    static[8] = replace(static[8], grads=step(8, {**gradients(8), "b": None}).grads)
    assert both(steps, static).verdict == "not-run", "there the reference is nonsense itself"


def test_a_loss_or_a_gradient_that_leaves_its_order_of_magnitude() -> None:
    grown = [replace(one, losses=(64.0,)) if one.number == 9 else one for one in long()]
    found = both(grown)
    assert found.verdict == "not-run"
    assert "6.4e+01 at step 9 and began with 1.0e+00" in found.reason
    falling = [replace(one, losses=(1.0 / (one.number + 1),)) for one in long()]
    assert both(falling).verdict == "pass"
    wide = [
        step(n, {k: v * np.float32(10.0**n) for k, v in gradients(n).items()}) for n in range(9)
    ]
    assert "gradient is" in both(wide).reason
    assert both(wide).verdict == "not-run"


def test_zero_gradients_of_most_steps() -> None:
    dead = {name: np.zeros_like(value) for name, value in gradients(0).items()}
    after_first = [step(n, gradients(n) if n == 0 else dead) for n in range(10)]
    found = both(after_first)
    assert found.verdict == "not-run"
    assert "zero in 9 of 10 steps" in found.reason
    now_and_then = [step(n, dead if n % 3 == 0 else gradients(n)) for n in range(10)]
    assert both(now_and_then).verdict == "pass"


PROMOTION = "TypeError: (InvalidType) Type promotion only support floating-point numbers."
HIDING = "TypeError: '__sub__' is not a callable object"
MISSING = "paddle.jit.sot.utils.exceptions.HasNoAttributeError: fleet has no attribute _hcg"
CHAINED = (
    f"Traceback (most recent call last):\n  File ...\n{PROMOTION}\n\n"
    f"During handling of the above exception, another exception occurred:\n\n{HIDING}"
)


@pytest.mark.parametrize(
    ("message", "told"),
    [
        (CHAINED, PROMOTION),
        # Where the first was cut off, the one that hides it is all that is left.
        (HIDING, HIDING),
        (CHAINED.replace(HIDING, "ValueError: of the kit"), "ValueError: of the kit"),
        ("\nno number\nof such a name", "no number"),
        # SOT tells the error that it met behind the code, by its module.
        (
            f"In simulate execution:\n\n    File ...\n      raise\n    {MISSING}",
            MISSING,
        ),
    ],
)
def test_an_error_of_sot_s_own_way_back_does_not_hide_the_first(message: str, told: str) -> None:
    made, static = record(long()), record([], caught=True)
    failed = replace(static, outcome="fails", end={"error": "InnerError", "message": message})
    found = judge(Comparison("sot", made, failed, made))
    assert found.reason == f"Static training stopped: InnerError: {told}"
