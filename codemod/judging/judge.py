"""From records to a verdict: a list of rules, of which the first that applies decides.

In order: the dynamic run must work and be repeatable; what ended the static run from outside says
nothing; it must come to its end;
something must have been static; what rounding cannot make (a missing gradient, say) fails; training
that diverges or stands still says nothing; equal to the bit passes; a difference of size is judged
by lockstep, else by the one-ulp envelope. `docs/parity.md` lists the verdicts.
"""

from __future__ import annotations

from dataclasses import replace

from codemod.base.reason import Reason
from codemod.judging import captured, ground
from codemod.judging.comparing.classify import (
    count_finding,
    draw_finding,
    left_finding,
    structural,
    weights_finding,
)
from codemod.judging.comparing.compare import compare_mark
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.idle import idle_parameters, only_idle_gradients
from codemod.judging.legs import legs, told_of
from codemod.judging.rounding import rounding
from codemod.judging.telling import differs, passed
from codemod.judging.verdict import Judgement, Verdict, not_run
from codemod.judging.where import elsewhere
from codemod.training.record import Mark

HARMLESS = Reason.of("judging.harmless")


def wants_controls(case: Comparison) -> bool:
    """Whether the verdict would gain from a one-ulp run and a lockstep run."""
    both_ran = case.dynamic.outcome == "ok" and case.static.outcome == "ok"
    if not both_ran or not captured.any_step(case.static):
        return False
    if structural(case.distances) or count_finding(case.dynamic, case.static):
        return False
    if weights_finding(case.dynamic, case.static, case.repeat) is not None:
        return True
    return any(not case.equal_at(step) for step in case.distances)


def judge(case: Comparison) -> Judgement:
    """The verdict of one mode, with the first difference and its class."""
    for rule in _RULES:
        verdict = rule(case)
        if verdict is not None:
            return _with_legs(case, _with_idle(case, verdict))
    return _with_legs(case, rounding.envelope(case))


def _with_legs(case: Comparison, judgement: Judgement) -> Judgement:
    """With the verdicts of evaluation, export and checkpoints, where static training ran."""
    found = legs(case) if case.static is not case.dynamic else ()
    outcomes = {leg.name: leg.outcome for leg in found}
    return replace(judgement, said=(*judgement.said, *told_of(found)), legs=outcomes)


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
    found = found or left_finding(case) or draw_finding(case)
    if found is not None:
        return differs(found)
    if not _plants_show(case):
        return not_run("judging.plant-lost")
    steps = len(case.distances)
    again = case.repeat
    if again is not None and again.weights and weights_finding(case.dynamic, again) is not None:
        told = Reason.of("judging.noisy-weights", steps=steps)
        return passed(case, Verdict.PASS_TOLERANCE, "noise floor", told)
    if not case.repeatable:
        told = Reason.of("judging.equals-one")
        return passed(case, Verdict.PASS_TOLERANCE, "noise floor", told)
    told = Reason.of("judging.equal", steps=steps)
    return passed(case, Verdict.PASS, "bit equality", told, *_last_bit(case))


def _last_bit(case: Comparison) -> list[Reason]:
    """What was compared to the bit; said where the recorder's own plant was seen."""
    compared = {n for s in case.dynamic.steps for n, m in s.grads.items() if m.present}
    if not case.static.plants or not compared:
        return []
    return [Reason.of("judging.last-bit", count=len(compared))]


def _plants_show(case: Comparison) -> bool:
    """Whether each fault that the recorder planted and read is told from dynamic training."""
    known = {(step.opt, step.number): step.grads for step in case.dynamic.steps}
    for plant in case.static.plants:
        reference = known.get((plant["opt"], plant["step"]), {}).get(plant["name"])
        if reference is not None:
            kind, digest, norm, sketch = plant["mark"]
            if compare_mark("", reference, Mark(kind, digest, norm, sketch)) is None:
                return False
    return True


def _other_updates(case: Comparison) -> Judgement | None:
    """Both modes must make the same updates, each once: what has no twin is compared with none."""
    found = count_finding(case.dynamic, case.static)
    return differs(found) if found is not None else None


def _structural(case: Comparison) -> Judgement | None:
    """A missing, added or densified gradient is a difference whatever its size."""
    # From the step on where the reference is not finite, nothing can be told.
    until = ground.finite_until(case.dynamic)
    found = structural(tuple(step for step in case.distances if step.number < until))
    return differs(found) if found is not None else None


_RULES = (
    ground.dynamic_side,
    ground.from_outside,
    ground.static_side,
    elsewhere,
    ground.not_static,
    _other_updates,
    _structural,
    ground.speaks,
    _equal,
    rounding.lockstep,
    ground.controls_whole,
    rounding.free,
    rounding.unjudged,
)
