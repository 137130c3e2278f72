"""How much tolerance the control runs allow, per parameter and step."""

from __future__ import annotations

from dataclasses import dataclass, field

from codemod.judging import thresholds
from codemod.judging.comparing.compare import Difference, StepDistance


@dataclass(frozen=True, slots=True)
class Envelope:
    """The largest distance seen up to each step in any control run.

    Keys of `seen` are (optimizer, step, name), of `losses` (optimizer, step). Steps that no control
    reached have no slack but rounding. `rates` are the (optimizer,
    step) from the first on where a control run had another learning rate, as a schedule that
    follows the loss may.
    """

    seen: dict[tuple[int, int, str], float] = field(default_factory=dict)
    losses: dict[tuple[int, int], float] = field(default_factory=dict)
    rates: set[tuple[int, int]] = field(default_factory=set)

    def loss(self, opt: int, step: int) -> float:
        """The allowed relative distance of a loss."""
        earned = thresholds.ENVELOPE_FACTOR * self.losses.get((opt, step), 0.0)
        return thresholds.LOSS_ROUNDOFF + earned

    def value(self, opt: int, step: int, diff: Difference, global_norm: float) -> float:
        """The allowed absolute distance of a gradient (of a buffer, with its own norm twice)."""
        seen = self.seen.get((opt, step, diff.name), 0.0)
        own = thresholds.OWN_ROUNDOFF * diff.norm
        zero = thresholds.ZERO_SHARE * global_norm
        # What is so small beside the others may be noise: it keeps the wide slack, unless a control
        # moved it and by far less than its norm.
        real = 0.0 < seen <= thresholds.REAL_NOISE * diff.norm
        slack = zero if diff.norm < zero and not real else own
        return slack + thresholds.ENVELOPE_FACTOR * seen

    def rounding_only(self) -> Envelope:
        """Without the slack for drift: for runs that start each step from equal weights."""
        return Envelope()


def build(controls: list[tuple[StepDistance, ...]]) -> Envelope:
    """The envelope of several control comparisons; it never shrinks from step to step."""
    envelope = Envelope()
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
