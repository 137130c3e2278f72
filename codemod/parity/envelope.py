"""How much slack the control runs have earned, per parameter and step."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from codemod.parity import thresholds

if TYPE_CHECKING:
    from codemod.parity.compare import Difference, StepDistance


@dataclass(frozen=True, slots=True)
class Envelope:
    """The largest distance seen up to each step in any control run.

    Keys of `seen` are (optimizer, step, name), of `losses` (optimizer, step). Steps that no control
    reached have no slack but rounding. `moved` says how far the one-ulp run moved each gradient in
    its first steps, relative to its own norm; keys are (optimizer, name).
    """

    seen: dict[tuple[int, int, str], float] = field(default_factory=dict)
    losses: dict[tuple[int, int], float] = field(default_factory=dict)
    moved: dict[tuple[int, str], float] = field(default_factory=dict)

    def loss(self, opt: int, step: int) -> float:
        """The allowed relative distance of a loss."""
        earned = thresholds.ENVELOPE_FACTOR * self.losses.get((opt, step), 0.0)
        return thresholds.LOSS_ROUNDOFF + earned

    def value(self, opt: int, step: int, diff: Difference, global_norm: float) -> float:
        """The allowed absolute distance of a gradient (of a buffer, with its own norm twice)."""
        earned = thresholds.ENVELOPE_FACTOR * self.seen.get((opt, step, diff.name), 0.0)
        own = thresholds.OWN_ROUNDOFF * diff.norm
        zero = thresholds.ZERO_SHARE * global_norm
        if diff.norm < zero:
            moved = self.moved.get((opt, diff.name), math.inf)
            # A gradient that the nudge did not reach may be noise or not: it keeps the wide slack.
            noise = moved > thresholds.NOISE_MOVES
            own = zero if noise else min(zero, own + thresholds.SMALL_FACTOR * moved * diff.norm)
        return own + earned

    def rounding_only(self) -> Envelope:
        """Without the slack for drift: for runs that start each step from equal weights."""
        return Envelope(moved=self.moved)


def early_moves(control: tuple[StepDistance, ...]) -> dict[tuple[int, str], float]:
    """How far a one-ulp run moved each gradient in its first steps, relative to its own norm."""
    moved: dict[tuple[int, str], float] = {}
    for step in control:
        if step.number < thresholds.EARLY_STEPS:
            for diff in step.grads:
                key = (step.opt, diff.name)
                own = diff.distance / diff.norm if diff.norm else math.inf
                moved[key] = max(moved.get(key, 0.0), own)
    return moved


def build(controls: list[tuple[StepDistance, ...]], ulp: tuple[StepDistance, ...] = ()) -> Envelope:
    """The envelope of several control comparisons; it never shrinks from step to step.

    `ulp` is the comparison with the one-ulp run, if there was one.
    """
    envelope = Envelope(moved=early_moves(ulp))
    for control in (*controls, ulp):
        losses: dict[int, float] = {}
        names: dict[tuple[int, str], float] = {}
        for step in control:
            losses[step.opt] = max(losses.get(step.opt, 0.0), step.loss_rel)
            for diff in (*step.grads, *step.buffers):
                key = (step.opt, diff.name)
                names[key] = max(names.get(key, 0.0), diff.distance)
            place = (step.opt, step.number)
            envelope.losses[place] = max(envelope.losses.get(place, 0.0), losses[step.opt])
            for (opt, name), far in names.items():
                if opt == step.opt:
                    where = (opt, step.number, name)
                    envelope.seen[where] = max(envelope.seen.get(where, 0.0), far)
    return envelope
