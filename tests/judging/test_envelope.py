"""How much slack control runs earn, and for which step and name."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from codemod.judging import thresholds
from codemod.judging.comparing.compare import Difference, StepDistance, compare_step
from codemod.judging.comparing.envelope import Envelope, build
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


def test_rounding_only_keeps_nothing_of_the_controls() -> None:
    control = (apart(0, loss_rel=1.0, grads=diffs(a=1.0), rates=(1.0, 2.0)),)
    bare = build([control]).rounding_only()
    assert (bare.seen, bare.losses, bare.rates) == ({}, {}, set())


@pytest.mark.parametrize(
    ("share", "expected"),
    [(1.0, thresholds.OWN_ROUNDOFF), (1e-8, 1e8 * thresholds.ZERO_SHARE)],
)
def test_a_tiny_gradient_keeps_the_wide_slack(share: float, expected: float) -> None:
    assert allowed(Envelope(), 2.0, share) == pytest.approx(2.0 * expected)
    assert allowed(Envelope(), 1.0, 1e-6) == thresholds.OWN_ROUNDOFF, "a millionth is not below it"
