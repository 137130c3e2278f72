"""From records to a verdict: a list of rules, of which the first that applies decides.

In order: the dynamic run must work and be repeatable; the static run must come to its end;
something must have been static; what rounding cannot make (a missing gradient, say) fails; training
that diverges or stands still says nothing; equal to the bit passes; a difference of size is judged
by lockstep, else by the one-ulp envelope. `docs/parity.md` lists the verdicts.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from codemod.base.reason import Reason
from codemod.judging import captured, thresholds
from codemod.judging.classify import (
    Divergence,
    first_finding,
    first_python_finding,
    structural,
    weights_finding,
)
from codemod.judging.compare import StepDistance, compare_lockstep
from codemod.judging.ground import dynamic_side, not_static, speaks, static_side, told_until
from codemod.judging.idle import idle_parameters, only_idle_gradients
from codemod.judging.verdict import HINTS, Judgement, Verdict
from codemod.judging.where import elsewhere

if TYPE_CHECKING:
    from codemod.judging.comparison import Comparison

HARMLESS = Reason.of("judging.harmless")


def wants_controls(case: Comparison) -> bool:
    """Whether the verdict would gain from a one-ulp run and a lockstep run."""
    both_ran = case.dynamic.outcome == "ok" and case.static.outcome == "ok"
    if not both_ran or not captured.any_step(case.static):
        return False
    if structural(case.distances) is not None:
        return False
    return any(not case.equal_at(step) for step in case.distances)


def judge(case: Comparison) -> Judgement:
    """The verdict of one mode, with the first difference and its class."""
    for rule in _RULES:
        verdict = rule(case)
        if verdict is not None:
            return _with_idle(case, verdict)
    return _passed(case, Verdict.PASS_TOLERANCE, "one-ulp envelope", _envelope_words(case))


def _with_idle(case: Comparison, judgement: Judgement) -> Judgement:
    """Say so where only parameters differ that are never updated; the verdict stays."""
    if judgement.verdict is not Verdict.GRADIENT_DIFFERS:
        return judgement
    idle = idle_parameters(case.dynamic, case.static)
    if not only_idle_gradients(case.distances, idle):
        return judgement
    return replace(judgement, said=(*judgement.said, HARMLESS))


def _equal(case: Comparison) -> Judgement | None:
    if any(not case.equal_at(step) for step in case.distances):
        return None
    found = weights_finding(case.dynamic, case.static, case.repeat)
    if found is not None:
        return _differs(found)
    steps = len(case.distances)
    if case.repeat is not None and weights_finding(case.dynamic, case.repeat) is not None:
        told = Reason.of("judging.noisy-weights", steps=steps)
        return _passed(case, Verdict.PASS_TOLERANCE, "noise floor", told)
    if not case.repeatable:
        told = Reason.of("judging.equals-one")
        return _passed(case, Verdict.PASS_TOLERANCE, "noise floor", told)
    return _passed(case, Verdict.PASS, "bit equality", Reason.of("judging.equal", steps=steps))


def _structural(case: Comparison) -> Judgement | None:
    """A missing, added or densified gradient is a difference whatever its size."""
    # From the step on where the reference is not finite, nothing can be told.
    until = told_until(case)
    found = structural(tuple(step for step in case.distances if step.number < until))
    return _differs(found) if found is not None else None


def _lockstep(case: Comparison) -> Judgement | None:
    """From the same weights every single step must agree up to rounding."""
    pairs = _lockstep_pairs(case)
    if not pairs:
        return None
    first = next(step for step in case.distances if not case.equal_at(step))
    early = first_finding(case, (first,), case.envelope)
    if early is not None:
        return _differs(early)
    found = first_finding(case, pairs, case.envelope.rounding_only())
    if found is not None:
        # The free run names steps that a user can repeat, so it goes first where it finds it too.
        return _free(case) or _differs(found)
    python = first_python_finding(case, case.distances, case.envelope)
    if python is not None:
        return _differs(python)
    worst = max(step.grad_rel for step in pairs)
    told = Reason.of("judging.lockstep", steps=len(pairs), size=f"{worst:.1e}")
    return _passed(case, Verdict.PASS_TOLERANCE, "lockstep", told)


def _lockstep_pairs(case: Comparison) -> tuple[StepDistance, ...]:
    """The pairs of the lockstep run, if they can be trusted; only losses and gradients are kept.

    They can where the same run with the hook off on both sides is equal to the bit (a trainer that
    keeps a pool of old images is not), and where static visits were static. Attributes and the
    learning rate are left out: forward, or the schedule, has moved them between the two visits.
    """
    if case.lockstep is None or case.lockstep_control is None:
        return ()
    control = compare_lockstep(case.lockstep_control)
    pairs = compare_lockstep(case.lockstep)
    sides = [step for step in case.lockstep.steps if step.side == "static"]
    sound = all(step.losses_match and not step.grads for step in control)
    caught = any(captured.of_step(step) for step in sides)
    if min(len(control), len(pairs)) < thresholds.LOCKSTEP_PAIRS or not sound or not caught:
        return ()
    return tuple(replace(step, state=(), buffers=(), rates=None) for step in pairs)


def _free(case: Comparison) -> Judgement | None:
    """Free running, no step may be further away than rounding and the control runs allow."""
    found = first_finding(case, case.distances, case.envelope)
    return _differs(found) if found is not None else None


def _differs(found: Divergence) -> Judgement:
    first = found.first
    name: str | Reason = first.name
    if first.others:
        name = Reason.of("judging.and-more", name=name, others=first.others)
    fields = {"step": first.step, "name": name, "kind": first.kind}
    if math.isinf(first.relative):
        told = Reason.of("judging.first", **fields)
    else:
        told = Reason.of("judging.first-sized", **fields, size=f"{first.relative:.1e}")
    return Judgement(found.verdict, (told,), first=first, hint=HINTS.get(first.kind, ""))


def _envelope_words(case: Comparison) -> Reason:
    worst = max((step.grad_rel for step in case.distances), default=0.0)
    return Reason.of("judging.envelope", size=f"{worst:.1e}")


def _passed(case: Comparison, verdict: Verdict, rule: str, reason: Reason) -> Judgement:
    said = [reason]
    if captured.mixed_precision(case.static) == "not-real":
        said.append(Reason.of("judging.amp-not-real"))
    partial = captured.partial(case)
    if partial:
        said.append(Reason.of("judging.partial", parts=partial))
        verdict = Verdict.PASS_PARTIAL if verdict is Verdict.PASS else verdict
    return Judgement(verdict, (*said, *captured.unsettled(case.static)), rule)


_RULES = (
    dynamic_side,
    static_side,
    elsewhere,
    not_static,
    _structural,
    speaks,
    _equal,
    _lockstep,
    _free,
)
