"""From records to a verdict: a list of rules, of which the first that applies decides.

In order: the dynamic run must work and be repeatable; the static run must come to its end;
something must have been static; equal to the bit passes; a difference that rounding cannot make (a
missing gradient, say) fails; one of size is judged by lockstep, else by the one-ulp envelope.
`docs/parity.md` lists the verdicts.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from codemod.judging import captured, thresholds
from codemod.judging.classify import (
    Divergence,
    first_finding,
    first_python_finding,
    structural,
    weights_finding,
)
from codemod.judging.compare import StepDistance, compare, compare_lockstep
from codemod.judging.envelope import build
from codemod.judging.idle import idle_parameters, only_idle_gradients
from codemod.judging.verdict import HINTS, Judgement, Verdict

if TYPE_CHECKING:
    from codemod.judging.envelope import Envelope
    from codemod.training.record import Record


HARMLESS = (
    "No step ever updates these parameters, and all else agrees to the bit: "
    "the difference harms nothing."
)


@dataclass(frozen=True)
class Comparison:
    """Dynamic and static training in one mode, with their control runs.

    `repeat`, `ulp` and the lockstep runs are control runs; `lockstep_control` had the hook off on
    both sides, and so had `lockstep_ulp`, with one ulp in every weight on the second.
    `out_of_place` is the static run up to the first difference, without Paddle's in-place pass.
    """

    mode: str
    dynamic: Record
    static: Record
    repeat: Record | None = None
    ulp: Record | None = None
    lockstep: Record | None = None
    lockstep_control: Record | None = None
    lockstep_ulp: Record | None = None
    out_of_place: Record | None = None

    @cached_property
    def distances(self) -> tuple[StepDistance, ...]:
        """Dynamic against static, free running."""
        return compare(self.dynamic, self.static)

    @cached_property
    def noise(self) -> tuple[StepDistance, ...]:
        """Dynamic against dynamic."""
        return compare(self.dynamic, self.repeat) if self.repeat is not None else ()

    @cached_property
    def shaken(self) -> tuple[StepDistance, ...]:
        """Dynamic against dynamic with one weight off by one unit in the last place."""
        return compare(self.dynamic, self.ulp) if self.ulp is not None else ()

    @cached_property
    def repeatable(self) -> bool:
        """Whether the two dynamic runs agree to the bit (true while there is only one)."""
        return all(step.equal for step in self.noise)

    @cached_property
    def envelope(self) -> Envelope:
        """The slack that the control runs allow."""
        noise = compare_lockstep(self.lockstep_ulp) if self.lockstep_ulp is not None else ()
        return build([self.noise, self.shaken], noise)

    @cached_property
    def noisy_state(self) -> frozenset[str]:
        """Attributes that differ between dynamic runs say nothing (clocks, paths, a kept loss)."""
        controls = (*self.noise, *self.shaken)
        return frozenset(name for step in controls for name, _, _ in step.state)

    def state_of(self, step: StepDistance) -> list[tuple[str, str, str]]:
        """Watched attributes that differ: name, dynamic value, static value.

        A tensor that a layer keeps may explain a difference, but is not one itself: what training
        makes of it shows in losses and gradients, and what nobody reads again is only a cache.
        """
        return [
            item
            for item in step.state
            if item[0] not in self.noisy_state and "tensor:" not in item[1] + item[2]
        ]


def wants_controls(case: Comparison) -> bool:
    """Whether the verdict would gain from a one-ulp run and a lockstep run."""
    both_ran = case.dynamic.outcome == "ok" and case.static.outcome == "ok"
    if not both_ran or not captured.any_step(case.static):
        return False
    if structural(case.distances) is not None:
        return False
    return any(not _step_equal(case, step) for step in case.distances)


def judge(case: Comparison) -> Judgement:
    """The verdict of one mode, with the first difference and its class."""
    for rule in (_dynamic_side, _static_side, _not_static, _equal, _structural, _lockstep, _free):
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
    return replace(judgement, reason=f"{judgement.reason} {HARMLESS}")


def _last_words(record: Record) -> str:
    if record.end.get("error"):
        lines = [line.strip() for line in str(record.end.get("message", "")).splitlines()]
        lines = [line for line in lines if line] or [""]
        # Paddle puts the error of transformed code last, behind the code; others say it at once.
        named = [line for line in lines if re.match(r"\(?\w*(Error|Exception)\b", line)]
        return f"{record.end['error']}: {named[-1] if named else lines[0]}"[:400]
    return f"after {len(record.steps)} recorded steps"


def _dynamic_side(case: Comparison) -> Judgement | None:
    """The reference must run, be dynamic, be repeatable, and have a gradient."""
    dynamic = case.dynamic
    if dynamic.outcome == "timeout":
        # The limit is the user's, and no fault of the kit's.
        limit = f" of {dynamic.limit_s:g} s (--limit)" if dynamic.limit_s else ""
        return Judgement(
            Verdict.NOT_RUN,
            f"The dynamic run reached the time limit{limit}: {_last_words(dynamic)}",
        )
    if dynamic.outcome != "ok" or not dynamic.steps:
        how = dynamic.outcome if dynamic.outcome != "ok" else "no optimizer step was seen"
        return Judgement(
            Verdict.DYNAMIC_FAILS,
            f"The kit fails with the hook off ({how}): {_last_words(dynamic)}",
        )
    if captured.any_step(dynamic):
        return Judgement(
            Verdict.DYNAMIC_FAILS,
            "The run with the gate off was static too: the gate does "
            "not switch the hook, so there is nothing to compare with.",
        )
    if max(step.grad_norm for step in dynamic.steps) < thresholds.DEAD_GRADIENT:
        return Judgement(
            Verdict.NOT_RUN,
            "The reference gradient is zero in every step: this loss cannot tell models apart.",
        )
    if case.noise and not case.repeatable:
        first = case.noise[0]
        worst = max(first.grad_rel, first.loss_rel)
        if worst > thresholds.NONDETERMINISTIC:
            return Judgement(
                Verdict.NONDETERMINISTIC,
                "Two dynamic runs of the kit differ by "
                f"{worst:.1e} at step {first.number}: set its seed and workers.",
            )
    return None


def _static_side(case: Comparison) -> Judgement | None:
    """Errors, crashes, hangs and memory are outcomes of the static run."""
    static = case.static
    if static.outcome == "ok" and len(static.steps) >= len(case.dynamic.steps):
        return None
    if static.outcome == "ok":
        return Judgement(
            Verdict.FAILS,
            f"Static training ended after {len(static.steps)} steps, dynamic "
            f"training made {len(case.dynamic.steps)}.",
        )
    words = {
        "crash": "The process crashed",
        "timeout": "The time limit was reached",
        "oom": "Memory ran out",
        "fails": "Static training failed",
    }
    return Judgement(
        Verdict(static.outcome),
        f"{words.get(static.outcome, 'Static training failed')}: {_last_words(static)}",
    )


def _not_static(case: Comparison) -> Judgement | None:
    static = case.static
    if captured.any_step(static):
        return None
    if not static.hooks:
        return Judgement(
            Verdict.NOT_STATIC,
            "The switch was on, and no to_static was reached: dynamic "
            "training was compared with itself.",
        )
    calls = static.count("hooked_calls")
    why = "the hooked layer was never called" if not calls else "nothing was captured"
    where = f"{static.hooks[0].get('file', '?')}:{static.hooks[0].get('line', '?')}"
    reasons = "; ".join(sorted({str(item["reason"])[:120] for item in static.breaks})[:3])
    more = f" ({reasons})" if reasons else ""
    return Judgement(
        Verdict.NOT_STATIC,
        f"to_static was called at {where}, but {why}{more}: dynamic "
        "training was compared with itself.",
        hint="A deepcopy of the model after the hook (EMA, export) makes both copies "
        "dynamic again on Paddle 2.6; a graph below MIN_GRAPH_SIZE stays dynamic.",
    )


def _equal(case: Comparison) -> Judgement | None:
    if any(not _step_equal(case, step) for step in case.distances):
        return None
    found = weights_finding(case.dynamic, case.static, case.repeat)
    if found is not None:
        return _differs(found)
    if case.repeat is not None and weights_finding(case.dynamic, case.repeat) is not None:
        return _passed(
            case,
            Verdict.PASS_TOLERANCE,
            "noise floor",
            f"{len(case.distances)} steps are equal to the bit in losses and gradients; the "
            "weights that differ at the end differ between two dynamic runs, too.",
        )
    if not case.repeatable:
        return _passed(
            case,
            Verdict.PASS_TOLERANCE,
            "noise floor",
            "Static equals one dynamic run to "
            "the bit; two dynamic runs are not bit-equal to each other.",
        )
    steps = len(case.distances)
    return _passed(
        case,
        Verdict.PASS,
        "bit equality",
        f"{steps} steps are equal to the bit in losses, gradients, buffers, learning rates and "
        "watched state.",
    )


def _step_equal(case: Comparison, step: StepDistance) -> bool:
    same_rate = step.rates is None
    return (
        step.losses_match and same_rate and not (step.grads or step.buffers or case.state_of(step))
    )


def _structural(case: Comparison) -> Judgement | None:
    """A missing, added or densified gradient is a difference whatever its size."""
    found = structural(case.distances)
    return _differs(found) if found is not None else None


def _lockstep(case: Comparison) -> Judgement | None:
    """From the same weights every single step must agree up to rounding."""
    pairs = _lockstep_pairs(case)
    if not pairs:
        return None
    first = next(step for step in case.distances if not _step_equal(case, step))
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
    return _passed(
        case,
        Verdict.PASS_TOLERANCE,
        "lockstep",
        f"{len(pairs)} steps from the same weights agree up to rounding (largest gradient distance "
        f"{worst:.1e} of the global norm), and the free runs part by rounding only.",
    )


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
    size = "" if math.isinf(first.relative) else f", {first.relative:.1e} relative"
    more = f" and {first.others} more" if first.others else ""
    return Judgement(
        found.verdict,
        f"First at step {first.step}: {first.name}{more} ({first.kind}{size}).",
        first=first,
        hint=HINTS.get(first.kind, ""),
    )


def _envelope_words(case: Comparison) -> str:
    worst = max((step.grad_rel for step in case.distances), default=0.0)
    return (
        f"Not bit-equal; every step stays within the envelope of the control runs (largest "
        f"gradient distance {worst:.1e} of the global norm)."
    )


def _passed(case: Comparison, verdict: Verdict, rule: str, reason: str) -> Judgement:
    partial = captured.partial(case.static, case.mode)
    reason += _precision_words(case)
    if partial and verdict is Verdict.PASS:
        return Judgement(
            Verdict.PASS_PARTIAL, f"{reason} Part of the model runs dynamically: {partial}.", rule
        )
    more = f" Part of the model runs dynamically: {partial}." if partial else ""
    return Judgement(verdict, reason + more, rule)


def _precision_words(case: Comparison) -> str:
    if captured.mixed_precision(case.static) != "not-real":
        return ""
    return " The mixed precision asked for is not real on this device: both trained in float32."
