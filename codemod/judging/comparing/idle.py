"""Parameters that training never updates: a difference of their gradients changes nothing."""

from __future__ import annotations

from collections.abc import Sequence

from codemod.judging.comparing.compare import StepDistance
from codemod.training.record import Record


def idle_parameters(*records: Record) -> frozenset[str]:
    """The parameters that none of the runs updates.

    They have a learning rate of zero of their own, or the same bytes before the first and after
    the last step while others of their optimizer changed.
    """
    found = [_idle(record) for record in records]
    return frozenset.intersection(*found) if found else frozenset()


def _idle(record: Record) -> frozenset[str]:
    ends = {line["opt"]: line["end"] for line in record.weights}
    names: set[str] = set()
    for line in record.params:
        names |= {name for name, rate in line.get("rates", {}).items() if rate == 0}
        start, end = line["start"], ends.get(line["opt"], {})
        known = start.keys() & end.keys()
        still = {name for name in known if start[name] == end[name]}
        # Where nothing moves, the whole rate was zero: that says nothing of one parameter.
        names |= still if still != known else set()
    return frozenset(names)


def only_idle_gradients(distances: Sequence[StepDistance], idle: frozenset[str]) -> bool:
    """Whether nothing but gradients of such parameters differs, in any step."""
    names = {diff.name for step in distances for diff in step.grads}
    rest = all(
        step.losses_match and step.rates is None and not (step.buffers or step.state)
        for step in distances
    )
    return rest and bool(names) and names <= idle
