"""Whether two dynamic runs are the same training, to the bit: nothing is excused here."""

from __future__ import annotations

from codemod.base.reason import Reason
from codemod.judging.comparing.classify import weights_finding
from codemod.judging.comparing.compare import StepDistance, compare
from codemod.training.record import Record


def first_deviation(one: Record, other: Record) -> Reason | None:
    """What of the second run is not as in the first; None where nothing differs.

    Looked at are losses, gradients, buffers, learning rates, watched Python state, the state of
    the random generators, and the weights at the start and at the end.
    """
    if len(one.steps) != len(other.steps):
        return Reason.of("judging.other-steps", before=len(one.steps), after=len(other.steps))
    if {name for line in one.params for name in line["start"]} != {
        name for line in other.params for name in line["start"]
    }:
        return Reason.of("judging.other-names")
    for step in compare(one, other):
        if what := _of_step(step):
            return Reason.of("judging.at-step", what=what, step=step.number)
    weights = weights_finding(one, other)
    if weights is None:
        return None
    what = Reason.of("judging.of-weight", name=weights.first.name)
    return Reason.of("judging.at-step", what=what, step=weights.first.step)


def _of_step(step: StepDistance) -> Reason | None:
    if not step.losses_match:
        return Reason.of("judging.of-loss", size=f"{step.loss_rel:.1e}")
    if step.grads:
        return Reason.of("judging.of-gradient", name=step.grads[0].name)
    if step.buffers:
        return Reason.of("judging.of-buffer", name=step.buffers[0].name)
    if step.rates is not None:
        return Reason.of("judging.of-rate")
    if step.state:
        return Reason.of("judging.of-attribute", name=step.state[0][0])
    return Reason.of("judging.of-generator", name=step.random[0]) if step.random else None
