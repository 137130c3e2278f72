"""Whether two dynamic runs are the same training, to the bit: nothing is excused here."""

from __future__ import annotations

from codemod.judging.comparing.classify import weights_finding
from codemod.judging.comparing.compare import StepDistance, compare
from codemod.training.record import Record


def first_deviation(one: Record, other: Record) -> str | None:
    """What of the second run is not as in the first, in words; None where nothing differs.

    Looked at are losses, gradients, buffers, learning rates, watched Python state, the state of
    the random generators, and the weights at the start and at the end.
    """
    if len(one.steps) != len(other.steps):
        return f"{len(one.steps)} steps before and {len(other.steps)} after"
    if {name for line in one.params for name in line["start"]} != {
        name for line in other.params for name in line["start"]
    }:
        return "the parameters have other names"
    for step in compare(one, other):
        found = _of_step(step)
        if found:
            return f"{found} at step {step.number}"
    weights = weights_finding(one, other)
    return (
        None if weights is None else f"the weight {weights.first.name} at step {weights.first.step}"
    )


def _of_step(step: StepDistance) -> str | None:
    if not step.losses_match:
        return f"the loss ({step.loss_rel:.1e} relative)"
    for kind, differences in (("gradient of", step.grads), ("buffer", step.buffers)):
        if differences:
            return f"the {kind} {differences[0].name}"
    if step.rates is not None:
        return "the learning rate"
    if step.state:
        return f"the attribute {step.state[0][0]}"
    return f"the random numbers of {step.random[0]}" if step.random else None
