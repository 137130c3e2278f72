"""The judge of convergence on courses whose truth is known."""

from __future__ import annotations

import math
import random
from dataclasses import replace

import pytest

from codemod.base.reason import Reason
from codemod.judging.convergence.convergence import Convergence, Course, Seed, judge, learns, told
from codemod.judging.thresholds import COURSE_FACTOR

STEPS = 256


def course(seed: int, rounding: float = 0.0, shift: float = 0.0, grows: float = 1.03) -> Course:
    """A loss that falls with a noise of its seed's; `rounding` grows by a factor each step.

    It grows up to a hundredth, as chaos does; `shift` is put on all losses after the first.
    """
    own, draw = random.Random(seed), random.Random(f"{seed} {rounding} {shift}")
    level = 0.2 + 0.02 * own.random()
    losses = []
    for step in range(STEPS):
        base = level + 2 * math.exp(-step / 40) + 0.01 * own.random()
        apart = min(rounding * grows**step, 0.01) * draw.choice((-1, 1))
        losses.append(base * (1 + apart) + (shift if step else 0.0))
    return Course(tuple(losses), 0.9 + 0.01 * own.random() + shift)


def seeds(static: float = 2e-7, shift: float = 0.0, count: int = 5) -> list[Seed]:
    """So many seeds whose static side rounds by `static` and is off by `shift`."""
    return [
        Seed(course(seed), course(seed, 1e-7), course(seed, static, shift)) for seed in range(count)
    ]


def test_rounding_that_grows_is_equivalent() -> None:
    judged = judge(seeds())
    assert judged.verdict is Convergence.EQUIVALENT
    assert judged.worst.factor < COURSE_FACTOR
    assert judged.false_alarms == 0.0
    assert [one.name for one in judged.measures] == ["final loss", "mean loss", "metric"]


def test_a_fault_at_the_start_shows_in_the_course_though_the_end_hides_it() -> None:
    judged = judge(seeds(static=1e-4))
    assert judged.verdict is Convergence.DIFFERS
    assert {one.verdict for one in judged.measures} == {Convergence.EQUIVALENT}
    early = [one for one in judged.windows if one.factor > COURSE_FACTOR]
    assert early[0].first == 0, "the first window with the fault names its steps"
    assert judged.worst.factor == max(one.factor for one in judged.windows) > COURSE_FACTOR


def test_a_metric_that_is_one_number_in_every_training_is_said_to_tell_nothing() -> None:
    flat = [
        Seed(*(replace(one, metric=0.0) for one in (seed.dynamic, seed.control, seed.static)))
        for seed in seeds()
    ]
    *_, metric, _sure = told(judge(flat), 5)
    assert metric.code == "judging.epochs-silent"
    other = [*flat[:-1], replace(flat[-1], static=replace(flat[-1].static, metric=0.5))]
    *_, metric, _sure = told(judge(other), 5)
    assert metric.code != "judging.epochs-silent"


def test_a_verdict_is_told_with_the_worst_window_and_every_measure() -> None:
    judged = judge(seeds(static=1e-4))
    course, *measures, sure = told(judged, 5)
    assert course["factor"] == f"{judged.worst.factor:.3g}"
    assert (course["first"], course["last"]) == (judged.worst.first + 1, judged.worst.last + 1)
    names = [one["name"] for one in measures]
    assert [name.text() for name in names if isinstance(name, Reason)] == [
        "final loss",
        "mean loss",
        "metric",
    ]
    assert {one.code for one in measures} == {"judging.epochs-equivalent"}
    assert sure["seeds"] == 5
    assert sure["alarms"] == f"{100 * judged.false_alarms:.1f}"


def test_another_end_differs() -> None:
    final = judge(seeds(shift=0.2)).measures[0]
    assert final.verdict is Convergence.DIFFERS
    assert final.low > final.bound
    assert final.would_see < 0.2


def test_an_interval_across_the_bound_is_unclear() -> None:
    found = seeds()
    bound = judge(found).measures[0].bound
    moved = [
        Seed(one.dynamic, one.control, course(number, 2e-7, bound * (0.4 + 0.4 * number)))
        for number, one in enumerate(found)
    ]
    assert judge(moved).measures[0].verdict is Convergence.UNCLEAR


def scaled(one: Course, factor: float) -> Course:
    return Course(tuple(factor * loss for loss in one.losses), one.metric)


@pytest.mark.parametrize("static", [2e-7, 1e-4])
def test_the_unit_of_a_loss_changes_no_verdict(static: float) -> None:
    """By a power of two, so that no figure is rounded otherwise."""
    found = judge(seeds(static))
    for factor in (2.0**-12, 2.0**12):
        sides = ((one.dynamic, one.control, one.static) for one in seeds(static))
        other = judge([Seed(*(scaled(side, factor) for side in three)) for three in sides])
        assert other.verdict is found.verdict
        assert other.windows == found.windows
        assert [one.verdict for one in other.measures] == [one.verdict for one in found.measures]
        assert other.measures[0].bound == factor * found.measures[0].bound


def test_losses_that_reach_zero_are_compared_as_they_are() -> None:
    """There is nothing to be relative to: where static training stays off zero, so far it is off."""
    fallen = [1.0, 0.5] + [0.0] * (STEPS - 2)

    def ending(rest: float) -> list[Seed]:
        still = Course((1.0, 0.5, *[rest] * (STEPS - 2)), None)
        return [Seed(Course(tuple(fallen), None), Course(tuple(fallen), None), still)] * 5

    same, off = judge(ending(0.0)), judge(ending(0.25))
    assert {one.static for one in same.windows} == {0.0}
    assert same.verdict is Convergence.EQUIVALENT
    assert off.verdict is Convergence.DIFFERS
    assert [one.static for one in off.windows][2:] == [
        pytest.approx(0.25 * math.sqrt(one.last - one.first + 1)) for one in off.windows[2:]
    ]


def test_two_seeds_say_nothing() -> None:
    assert judge(seeds(count=2)).verdict is Convergence.UNCLEAR


@pytest.mark.parametrize("number", range(20))
def test_dynamic_training_in_the_place_of_static_is_never_called_different(number: int) -> None:
    found = [
        Seed(course(seed), course(seed, 1e-7), course(seed, 1.1e-7))
        for seed in range(10 * number, 10 * number + 5)
    ]
    assert judge(found).verdict is not Convergence.DIFFERS


def test_learning_is_a_loss_that_falls() -> None:
    assert learns(course(0))
    assert not learns(Course((1.0,) * 50))
    assert learns(Course(tuple(-0.1 * step for step in range(50)))), "a loss may be negative"


def test_a_course_without_steps_or_with_nan_is_not_finite() -> None:
    assert not Course(()).finite
    assert not Course((1.0, math.nan)).finite
