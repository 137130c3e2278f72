"""How much slack control runs earn, and for which step and name."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from codemod.judging import thresholds
from codemod.judging.compare import Difference, StepDistance, compare_step
from codemod.judging.envelope import Envelope, build, moves, wants_noise
from tests.parity.builders import step

if TYPE_CHECKING:
    from collections.abc import Iterable


def apart(number: int, opt: int = 0, **parts: Any) -> StepDistance:
    """A step's distance with these parts; everything else is equal."""
    same = step(number, {}, opt=opt)
    return replace(compare_step(same, same), **parts)


def diffs(**far: float | tuple[float, float]) -> tuple[Difference, ...]:
    """Differences by name: the distance, or distance and norm (else 1)."""
    pairs = {n: v if isinstance(v, tuple) else (v, 1.0) for n, v in far.items()}
    return tuple(Difference(name, "value", *pair) for name, pair in pairs.items())


def allowed(envelope: Envelope, norm: float, share: float = 1.0) -> float:
    """What gradient `a` of that norm may be off at step 0, where it is that share of all."""
    return envelope.value(0, 0, Difference("a", "value", 0.0, norm), norm / share)


def test_without_controls_there_is_rounding_alone() -> None:
    bare = build([])
    assert bare.loss(0, 0) == thresholds.LOSS_ROUNDOFF
    assert allowed(bare, 2.0) == 2.0 * thresholds.OWN_ROUNDOFF
    assert allowed(bare, 2.0, share=1e-3) == 2.0 * thresholds.OWN_ROUNDOFF


def test_a_control_earns_ten_times_what_it_drifted() -> None:
    control = (apart(0, loss_rel=1e-3, grads=diffs(a=0.01), buffers=diffs(mean=0.02)),)
    earned = build([control])
    assert earned.loss(0, 0) == pytest.approx(thresholds.LOSS_ROUNDOFF + 1e-2)
    assert allowed(earned, 2.0) == pytest.approx(2.0 * thresholds.OWN_ROUNDOFF + 0.1)
    buffer = Difference("mean", "value", 0.0, 1.0)
    assert earned.value(0, 0, buffer, 0.0) == pytest.approx(thresholds.OWN_ROUNDOFF + 0.2)
    other = Difference("b", "value", 0.0, 1.0)
    assert earned.value(0, 0, other, 1.0) == thresholds.OWN_ROUNDOFF
    assert earned.loss(1, 0) == earned.loss(0, 1) == thresholds.LOSS_ROUNDOFF


def far(envelope: Envelope, opt: int, numbers: Iterable[int]) -> list[tuple[float, float]]:
    """What was seen of the loss and of gradient `a` by then."""
    return [
        (envelope.losses.get((opt, n), 0.0), envelope.seen.get((opt, n, "a"), 0.0)) for n in numbers
    ]


def test_slack_never_shrinks_and_belongs_to_one_optimizer() -> None:
    control = (
        apart(0, loss_rel=1.0, grads=diffs(a=5.0)),
        apart(0, opt=1),
        apart(1, loss_rel=3.0, grads=diffs(a=2.0)),
        apart(1, opt=1, loss_rel=7.0, grads=diffs(a=8.0)),
        apart(2),
    )
    envelope = build([control])
    assert far(envelope, 0, range(4)) == [(1.0, 5.0), (3.0, 5.0), (3.0, 5.0), (0.0, 0.0)]
    assert far(envelope, 1, range(2)) == [(0.0, 0.0), (7.0, 8.0)]


def test_of_two_controls_the_larger_counts_at_each_step() -> None:
    one: tuple[StepDistance, ...] = (apart(0, loss_rel=1.0, grads=diffs(a=1.0)), apart(1))
    two: tuple[StepDistance, ...] = (
        apart(0, loss_rel=0.5, grads=diffs(a=4.0)),
        apart(1, loss_rel=2.0),
    )
    for controls in ([one, two], [two, one]):
        assert far(build(controls), 0, range(2)) == [(1.0, 4.0), (2.0, 4.0)]


def test_another_rate_is_excused_from_the_step_on_where_a_control_had_one() -> None:
    control = (apart(0), apart(1, rates=(0.1, 0.2)), apart(1, opt=1), apart(2), apart(2, opt=1))
    assert build([control, (apart(0), apart(1))]).rates == {(0, 1), (0, 2)}


def test_a_gradient_is_moved_by_its_own_norm_and_the_worst_pair_counts() -> None:
    pairs = (
        apart(0, grads=diffs(a=(0.5, 2.0), zero=(0.1, 0.0))),
        apart(1, grads=diffs(a=(0.1, 1.0))),
        apart(1, opt=1, grads=diffs(a=(3.0, 1.0))),
    )
    assert moves(pairs) == {(0, "a"): 0.25, (0, "zero"): math.inf, (1, "a"): 3.0}


@pytest.mark.parametrize(
    ("moved", "share", "expected"),
    [
        # Not measured: its own norm, or the wide slack where it is tiny beside the others.
        (None, 1.0, thresholds.OWN_ROUNDOFF),
        (None, 1e-8, 1e8 * thresholds.ZERO_SHARE),
        # One ulp moves it less than rounding does: its own norm, whatever its share.
        (1e-6, 1.0, thresholds.OWN_ROUNDOFF),
        (1e-6, 1e-9, thresholds.OWN_ROUNDOFF + thresholds.SMALL_FACTOR * 1e-6),
        (0.0, 1e-9, thresholds.OWN_ROUNDOFF),
        # Ill-conditioned: what one ulp moves, up to a hundredth.
        (3e-3, 1.0, 3e-3),
        (3e-3, 1e-9, 3e-3 + thresholds.SMALL_FACTOR * 3e-3),
        # Noise: the wide slack, or a hundredth of its own norm where that is more.
        (0.5, 1e-9, 1e9 * thresholds.ZERO_SHARE),
        (0.5, 1.0, thresholds.NOISE_MOVES),
        (thresholds.NOISE_MOVES, 1.0, thresholds.NOISE_MOVES),
        (thresholds.NOISE_MOVES, 1e-9, 11 * thresholds.NOISE_MOVES),
    ],
)
def test_what_a_gradient_may_be_off_by_what_one_ulp_moves(
    moved: float | None, share: float, expected: float
) -> None:
    envelope = Envelope(moved={} if moved is None else {(0, "a"): moved})
    assert allowed(envelope, 2.0, share) == pytest.approx(2.0 * expected)


def test_the_wide_slack_is_the_most_that_a_tiny_gradient_gets() -> None:
    # Below a millionth of all, eleven hundredths of its own norm are less than the wide slack.
    assert allowed(Envelope(moved={(0, "a"): 1e-2}), 1.0, 0.99e-6) == pytest.approx(0.11)
    assert allowed(Envelope(), 1.0, 1e-6) == thresholds.OWN_ROUNDOFF, "a millionth is not below it"


def test_rounding_only_keeps_what_one_ulp_moves() -> None:
    pairs = (apart(0, grads=diffs(a=0.5)),)
    control = (apart(0, loss_rel=1.0, grads=diffs(a=1.0), rates=(1.0, 2.0)),)
    bare = build([control], pairs).rounding_only()
    assert (bare.seen, bare.losses, bare.rates) == ({}, {}, set())
    assert bare.moved == {(0, "a"): 0.5}


@pytest.mark.parametrize(
    ("far_by", "norm", "wanted"),
    [
        (1e-5, 1.0, False),
        (thresholds.OWN_ROUNDOFF, 1.0, False),
        (2e-4, 1.0, True),
        (1e-12, 1e-6, False),
        (1e-12, 0.9e-6, True),
    ],
)
def test_noise_is_measured_for_tiny_gradients_and_large_distances(
    far_by: float, norm: float, wanted: bool
) -> None:
    near = apart(0, global_norm=1.0, grads=diffs(b=1e-6))
    step_apart = apart(1, global_norm=1.0, grads=diffs(b=1e-6, a=(far_by, norm)))
    assert wants_noise((near, step_apart)) is wanted
    # The same with all gradients ten times as large.
    larger = apart(1, global_norm=10.0, grads=diffs(b=(1e-5, 10.0), a=(10 * far_by, 10 * norm)))
    assert wants_noise((near, larger)) is wanted
    assert not wants_noise(())
