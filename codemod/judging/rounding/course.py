"""What is carried from update to update beside the weights: whether that is the same in both modes.

A run of sides puts every side where dynamic training was before the update. What a side would have
carried on by itself (optimizer state, an average, a counter, what the trainer does once the switch
is on) is not seen there, and shows in two other ways: the free static run parts from dynamic
training before an update that differs, or the dynamic side takes another course than dynamic
training with the switch off.
"""

from __future__ import annotations

import math

from codemod.base.reason import Reason
from codemod.judging import thresholds
from codemod.judging.comparing.classify import Divergence, weights_finding, worded
from codemod.judging.comparing.compare import StepDistance, keeps_tensor, state_distance
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.lockstep import DYNAMIC, STATIC, SideRun
from codemod.training.record import Mark, Record, Step
from codemod.training.sides import Gap


def carried_finding(case: Comparison) -> Divergence | None:
    """The first update that differs by what was carried to it."""
    return _parts_early(case) or _switch_finding(case)


def open_course(case: Comparison) -> Step | None:
    """Where the dynamic side takes another course, and no run says whether the switch does that."""
    told = case.switched is not None and case.switched.outcome == "ok" and case.switched.turns
    return None if case.lockstep is None or told else _off_course(case, case.lockstep)


def _off_course(case: Comparison, sides: Record) -> Step | None:
    noisy = case.noisy_state
    step = other_course(case.dynamic, sides, noisy)
    # Runs of sides that were made earlier do not say where they end; a probe's end elsewhere, for
    # they make an update more than the free runs.
    if step is not None or not sides.weights or _longer(sides, case.dynamic):
        return step
    end = weights_finding(case.dynamic, sides, case.repeat)
    if end is None:
        return None
    return next(one for one in reversed(case.dynamic.steps) if one.opt == end.first.opt)


def _longer(sides: Record, dynamic: Record) -> bool:
    """Whether the dynamic side makes updates that the free run has not."""
    made = {(turn.opt, turn.step) for turn in sides.turns if turn.side == DYNAMIC}
    return not made <= {(step.opt, step.number) for step in dynamic.steps}


def other_course(
    dynamic: Record, sides: Record, noisy: frozenset[str] = frozenset()
) -> Step | None:
    """The first update of dynamic training that the dynamic side does not make to the bit.

    What stands beside it is compared as well: buffers, averages, attributes but `noisy` ones.
    """
    made = (turn for turn in sides.turns if turn.side == DYNAMIC)
    for step, turn in zip(dynamic.steps, made, strict=False):
        if (step.opt, step.losses, step.lr) != (turn.opt, turn.losses, turn.lr):
            return step
        both = ((step.grads, turn.grads), (step.buffers, turn.buffers))
        if any(_part(mark, gaps.get(name)) for marks, gaps in both for name, mark in marks.items()):
            return step
        state = state_distance(step.state, turn.state)
        if any(not keeps_tensor(*item[1:]) and item[0] not in noisy for item in state):
            return step
    return None


def _part(mark: Mark, gap: Gap | None) -> bool:
    # Both norms are of the same numbers to the bit, summed up in another order.
    return (
        mark.present
        and gap is not None
        and not math.isclose(mark.norm, gap.norm, rel_tol=thresholds.SAME_NORM)
    )


def _switch_finding(case: Comparison) -> Divergence | None:
    if case.switched is None:
        return None
    step = _off_course(case, case.switched)
    return None if step is None else _divergence(step.opt, step.number)


def _parts_early(case: Comparison) -> Divergence | None:
    """The free run's first difference, where each update up to it is equal to the bit."""
    first = next((step for step in case.distances if not case.equal_at(step)), None)
    if first is None or case.single is None or not case.repeatable:
        return None
    equal = _equal_until(case.single, first)
    return _divergence(first.opt, first.number) if equal else None


def _equal_until(run: SideRun, step: StepDistance) -> bool:
    """Whether the static side made this update, and all before it, as the dynamic one did."""
    ends = {
        visit.pair: bool(visit.end or visit.state) or visit.random != one.random
        for one, visit in run.visits(STATIC)
    }
    for one, turn in run.turns(STATIC):
        if any(differs for pair, differs in ends.items() if pair < turn.pair):
            return False
        told = (turn.losses, turn.lr, turn.random) != (one.losses, one.lr, one.random)
        if told or turn.grads or turn.updates or turn.buffers:
            return False
        if (turn.opt, turn.step) == (step.opt, step.number):
            return True
    return False


def _divergence(opt: int, number: int) -> Divergence:
    return worded((number, opt), Reason.of("judging.carried"), "carried")
