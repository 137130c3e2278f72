"""How much tolerance the control runs allow, per parameter and step."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codemod.judging import thresholds

if TYPE_CHECKING:
    from codemod.judging.compare import Difference, StepDistance


@dataclass(frozen=True, slots=True)
class Envelope:
    """The largest distance seen up to each step in any control run.

    Keys of `seen` are (optimizer, step, name), of `losses` (optimizer, step). Steps that no control
    reached have no slack but rounding. `moved` says how far one ulp in every weight moves each
    gradient, relative to its own norm; keys are (optimizer, name). `rates` are the (optimizer,
    step) from the first on where a control run had another learning rate, as a schedule that
    follows the loss may.
    """

    seen: dict[tuple[int, int, str], float] = field(default_factory=dict)
    losses: dict[tuple[int, int], float] = field(default_factory=dict)
    moved: dict[tuple[int, str], float] = field(default_factory=dict)
    rates: set[tuple[int, int]] = field(default_factory=set)

    def loss(self, opt: int, step: int) -> float:
        """The allowed relative distance of a loss."""
        earned = thresholds.ENVELOPE_FACTOR * self.losses.get((opt, step), 0.0)
        return thresholds.LOSS_ROUNDOFF + earned

    def value(self, opt: int, step: int, diff: Difference, global_norm: float) -> float:
        """The allowed absolute distance of a gradient (of a buffer, with its own norm twice)."""
        earned = thresholds.ENVELOPE_FACTOR * self.seen.get((opt, step, diff.name), 0.0)
        moved = self.moved.get((opt, diff.name))
        # No gradient is better known than one unit in the last place of the weights lets it be.
        sure = min(moved or 0.0, thresholds.NOISE_MOVES)
        own = max(thresholds.OWN_ROUNDOFF, sure) * diff.norm
        zero = thresholds.ZERO_SHARE * global_norm
        if moved is not None and moved > thresholds.NOISE_MOVES:
            own = max(own, zero)
        elif diff.norm < zero:
            # What was not measured may be noise or not: it keeps the wide slack.
            near = own + thresholds.SMALL_FACTOR * sure * diff.norm
            own = zero if moved is None else min(zero, near)
        return own + earned

    def rounding_only(self) -> Envelope:
        """Without the slack for drift: for runs that start each step from equal weights."""
        return Envelope(moved=self.moved)


def moves(pairs: tuple[StepDistance, ...]) -> dict[tuple[int, str], float]:
    """How far one ulp in every weight moved each gradient at most, relative to its own norm."""
    moved: dict[tuple[int, str], float] = {}
    for step in pairs:
        for diff in step.grads:
            own = diff.distance / diff.norm if diff.norm else math.inf
            moved[step.opt, diff.name] = max(moved.get((step.opt, diff.name), 0.0), own)
    return moved


def wants_noise(pairs: tuple[StepDistance, ...]) -> bool:
    """Whether gradients differ that are tiny beside the others, or by more than usual rounding."""
    return any(
        diff.norm < thresholds.ZERO_SHARE * step.global_norm
        or diff.distance > thresholds.OWN_ROUNDOFF * diff.norm
        for step in pairs
        for diff in step.grads
    )


def build(
    controls: list[tuple[StepDistance, ...]], noise: tuple[StepDistance, ...] = ()
) -> Envelope:
    """The envelope of several control comparisons; it never shrinks from step to step.

    `noise` are the pairs of a lockstep run with one ulp in every weight, if there was one.
    """
    envelope = Envelope(moved=moves(noise))
    for control in controls:
        losses: dict[int, float] = {}
        names: dict[tuple[int, str], float] = {}
        other_rate: set[int] = set()
        for step in control:
            losses[step.opt] = max(losses.get(step.opt, 0.0), step.loss_rel)
            for diff in (*step.grads, *step.buffers):
                key = (step.opt, diff.name)
                names[key] = max(names.get(key, 0.0), diff.distance)
            place = (step.opt, step.number)
            if step.rates is not None:
                other_rate.add(step.opt)
            if step.opt in other_rate:
                envelope.rates.add(place)
            envelope.losses[place] = max(envelope.losses.get(place, 0.0), losses[step.opt])
            for (opt, name), far in names.items():
                if opt == step.opt:
                    where = (opt, step.number, name)
                    envelope.seen[where] = max(envelope.seen.get(where, 0.0), far)
    return envelope
