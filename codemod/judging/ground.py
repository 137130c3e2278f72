"""Whether there is anything sound to judge: a reference that works, and a run that was static.

Each rule gives a judgement where it applies, else None. `speaks` is the rule of training that
diverges or stands still: equal nonsense on both sides says nothing of the hook.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from codemod.base.reason import Reason
from codemod.base.terminal.text import shortened
from codemod.judging import captured, thresholds
from codemod.judging.blame import is_code_error
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.verdict import (
    CONTROL_ENDED,
    DYNAMIC_KILLED,
    SHORT_LIMIT,
    STATIC_KILLED,
    Judgement,
    Verdict,
    judged,
    not_run,
)
from codemod.training.record import Record, Step

# On its way back to dynamic mode SOT asks for the signature of a tensor's method, of which it holds
# the name alone. What it then raises hides why it went back (docs/paddle-issues/changed_number.py).
_HIDES = re.compile(r"TypeError: '\w+' is not a callable object$")
_AFTER = "During handling of the above exception"
_NAMED = re.compile(r"\(?[\w.]*(Error|Exception)\b")


def _last_words(record: Record) -> str | Reason:
    if record.end.get("error"):
        message = str(record.end.get("message", ""))
        # Paddle puts the error of transformed code last, behind the code; others say it at once.
        named = _named(message)
        if named and _HIDES.match(named[-1]):
            named = _named(message.rpartition(_AFTER)[0]) or named
        first = next((line for line in message.splitlines() if line.strip()), "")
        return shortened(f"{record.end['error']}: {named[-1] if named else first.strip()}", 400)
    return Reason.of("judging.after-steps", steps=len(record.steps))


def _named(message: str) -> list[str]:
    """The lines that name an error, in their order."""
    lines = (line.strip() for line in message.splitlines())
    return [line for line in lines if _NAMED.match(line)]


def dynamic_side(case: Comparison) -> Judgement | None:
    """The reference must run, be dynamic, be repeatable, and have a gradient."""
    dynamic = case.dynamic
    if dynamic.outcome == "killed":
        return not_run(DYNAMIC_KILLED, last=_last_words(dynamic))
    if dynamic.outcome == "timeout":
        # The limit is the user's, and no fault of the kit's.
        words = _last_words(dynamic)
        if dynamic.limit_s:
            return not_run("judging.limit", seconds=f"{dynamic.limit_s:g}", last=words)
        return not_run("judging.limit-unknown", last=words)
    if dynamic.outcome != "ok" or not dynamic.steps:
        how = dynamic.outcome if dynamic.outcome != "ok" else Reason.of("judging.no-step")
        last = _last_words(dynamic)
        if not is_code_error(str(last), str(dynamic.end.get("traceback", ""))):
            # No sample is as good as the kit's own, and no machine is like its users'.
            return not_run("judging.cannot-train", how=how, last=last)
        return judged(Verdict.DYNAMIC_FAILS, "judging.dynamic-fails", how=how, last=last)
    if captured.any_step(dynamic):
        return judged(Verdict.DYNAMIC_FAILS, "judging.always-static")
    if max(step.grad_norm for step in dynamic.steps) < thresholds.DEAD_GRADIENT:
        return not_run("judging.dead")
    if case.noise and not case.repeatable:
        first = case.noise[0]
        worst = max(first.grad_rel, first.loss_rel)
        if worst > thresholds.NONDETERMINISTIC:
            size, step = f"{worst:.1e}", first.number
            return judged(
                Verdict.NONDETERMINISTIC, "judging.nondeterministic", size=size, step=step
            )
    return None


def from_outside(case: Comparison) -> Judgement | None:
    """What ended static training from outside says nothing of it: a kill, too short a limit."""
    dynamic, static = case.dynamic, case.static
    if static.outcome == "killed":
        return not_run(STATIC_KILLED, last=_last_words(static))
    enough = thresholds.LIMIT_FACTOR * dynamic.seconds
    if static.outcome != "timeout" or not 0 < static.limit_s < enough:
        return None
    limit, taken = f"{static.limit_s:g}", f"{dynamic.seconds:.0f}"
    wanted, last = math.ceil(enough), _last_words(static)
    return not_run(SHORT_LIMIT, limit=limit, dynamic=taken, enough=wanted, last=last)


def controls_whole(case: Comparison) -> Judgement | None:
    """A free control run that was ended from outside shows too little of what rounding does."""
    for control in (case.repeat, case.ulp):
        if control is not None and control.outcome in ("killed", "timeout"):
            how, last = control.outcome, _last_words(control)
            return not_run(CONTROL_ENDED, how=how, last=last)
    return None


def static_side(case: Comparison) -> Judgement | None:
    """Errors, crashes, hangs and memory are outcomes of the static run."""
    static = case.static
    made, wanted = len(static.steps), len(case.dynamic.steps)
    if static.outcome == "ok" and made >= wanted:
        return None
    if static.outcome == "ok":
        return judged(Verdict.FAILS, "judging.shorter", made=made, wanted=wanted)
    known = static.outcome if static.outcome in ("crash", "timeout", "oom") else "fails"
    return judged(Verdict(static.outcome), f"judging.static-{known}", last=_last_words(static))


def not_static(case: Comparison) -> Judgement | None:
    """A run in which no program and no graph ran never passes, however equal."""
    static, calls = case.static, case.static.count("hooked_calls")
    # A program that ran without a call of what is hooked is another function's.
    if captured.any_step(static) and calls:
        return None
    if not static.hooks:
        return judged(Verdict.NOT_STATIC, "judging.no-hook")
    why = Reason.of("judging.uncaptured" if calls else "judging.uncalled")
    where = f"{static.hooks[0].get('file', '?')}:{static.hooks[0].get('line', '?')}"
    reasons = "; ".join(captured.short_reasons(static.breaks))
    told = Reason.of("judging.not-static", place=where, why=why, breaks=reasons)
    return Judgement(Verdict.NOT_STATIC, (told,), hint=Reason.of("judging.unused-hook"))


def speaks(case: Comparison) -> Judgement | None:
    """Training that diverges, or whose gradients are zero, is no evidence, though both agree."""
    dynamic = case.dynamic
    found = _not_finite(dynamic.steps) or _grows(dynamic) or _stands_still(dynamic.steps)
    return None if found is None else Judgement(Verdict.NOT_RUN, (found,))


def finite_until(record: Record) -> float:
    """The first step from which on a run has values that are not finite, infinite where none."""
    return min((step.number for step in record.steps if not is_finite(step)), default=math.inf)


def is_finite(step: Step) -> bool:
    """Whether all losses, gradients and buffers of a step are finite numbers."""
    marks = (*step.grads.values(), *step.buffers.values())
    return all(map(math.isfinite, (*step.losses, *(mark.norm for mark in marks))))


def _not_finite(steps: Iterable[Step]) -> Reason | None:
    first = next((step for step in steps if not is_finite(step)), None)
    if first is None:
        return None
    loss = next((one for one in first.losses if not math.isfinite(one)), None)
    if loss is not None:
        return Reason.of("judging.loss-not-finite", step=first.number, loss=f"{loss:g}")
    marks = {**first.grads, **first.buffers}
    name = next(name for name, mark in marks.items() if not math.isfinite(mark.norm))
    return Reason.of("judging.value-not-finite", step=first.number, name=name)


def _grows(record: Record) -> Reason | None:
    """A loss, or a gradient, that leaves the order of magnitude that it began with."""
    for opt in {step.opt for step in record.steps}:
        steps = [step for step in record.steps if step.opt == opt]
        losses = [sum(map(abs, step.losses)) for step in steps]
        norms = [step.grad_norm for step in steps]
        for values, factor, what in (
            (losses, thresholds.LOSS_GROWS, "loss"),
            (norms, thresholds.GRADIENT_GROWS, "gradient"),
        ):
            begun = max(values[: thresholds.FIRST_STEPS])
            for step, value in zip(steps, values, strict=True):
                if begun and value > factor * begun:
                    return Reason.of(
                        f"judging.{what}-grows",
                        step=step.number,
                        now=f"{value:.1e}",
                        begun=f"{begun:.1e}",
                    )
    return None


def _stands_still(steps: tuple[Step, ...]) -> Reason | None:
    dead = sum(step.grad_norm < thresholds.DEAD_GRADIENT for step in steps)
    if dead <= thresholds.DEAD_SHARE * len(steps):
        return None
    return Reason.of("judging.mostly-dead", dead=dead, steps=len(steps))
