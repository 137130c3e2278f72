"""Runs that are not equal to the bit: whether it is rounding, and what would have been seen.

Where there is a run of all sides from the same weights, it decides: in float64, in the kit's own
precision, and the free run by its course. A net that cannot be run so is judged by the envelope.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from codemod.base.reason import Reason
from codemod.base.terminal.text import shortened
from codemod.judging import thresholds
from codemod.judging.comparing.classify import (
    Divergence,
    draw_finding,
    ends_finding,
    first_finding,
    first_python_finding,
    left_finding,
)
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.lockstep import STATIC, SideRun
from codemod.judging.rounding.alarms import alarms, static_alarms
from codemod.judging.rounding.course import carried_finding, open_course
from codemod.judging.rounding.free_course import free_finding
from codemod.judging.rounding.lockstep_findings import findings, update_finding
from codemod.judging.rounding.resolution import SIZES, Resolution, resolution
from codemod.judging.rounding.truth import truth
from codemod.judging.telling import differs, passed
from codemod.judging.verdict import (
    EQUALITY,
    ROUNDS,
    FirstDifference,
    Judgement,
    Verdict,
    not_run,
)
from codemod.training.record import Record

_NAMED = 5
ENVELOPE: Final = "one-ulp envelope"


def lockstep(case: Comparison) -> Judgement | None:
    """From the same weights every update must agree up to rounding; None without such a run."""
    runs = [run for run in (case.double, case.single) if run is not None]
    if not runs:
        return None
    first = [step for step in case.distances if not case.equal_at(step)][:1]
    early = first_finding(case, tuple(first), case.envelope)
    rule = _rule_of(runs[0])
    if early is not None and case.double is None:
        return differs(early, rule)
    found = parting(case.double, case.single)
    if found is not None:
        # The free run names steps that a user can repeat, so it goes first if it finds it too.
        named = _beyond_envelope(case)
        return differs(named, _rule_of(found[0])) if named else _differs_in(*found, case)
    further = truth(case.lockstep_double)
    if further is not None and further.finding is not None:
        return _differs_in(case.single or runs[0], further.finding, case)
    course = (
        first_python_finding(case, case.distances, case.envelope)
        or left_finding(case)
        or draw_finding(case)
        or carried_finding(case)
        or free_finding(case)
    )
    if course is not None:
        return differs(course, rule)
    step = open_course(case)
    if step is not None:
        return not_run("judging.open-course", step=step.number)
    # Float64 says nothing of float32's own kernels.
    return unjudged(case) or _uncovered(case, runs) or _passed_by_any(case, runs)


def parting(double: SideRun | None, single: SideRun | None) -> tuple[SideRun, Divergence] | None:
    """The first run that parts by more than rounding, in float64 before float32, and where.

    Of a net in which rounding has no bound (a norm over next to no variance) the largest control of
    a few says little: where float64 agrees, float32 may be off as often as control sides are.
    """
    for run in backed(double, single):
        judged = allowing(run)
        found = next(findings(judged), None)
        if found is not None and run.backed and alarms(judged).explain(static_alarms(judged)):
            found = next((one for one in findings(judged) if one.first.kind not in ROUNDS), None)
        if found is not None:
            return run, found
    return None


def backed(double: SideRun | None, single: SideRun | None) -> list[SideRun]:
    """The runs that there are, float64 first; that in float32 knows whether there is another."""
    if double is None or single is None:
        return [run for run in (double, single) if run is not None]
    return [double, replace(single, backed=True)]


def allowing(run: SideRun) -> SideRun:
    """The run in float64, with slack for constants where they show: that is at every update."""
    pairs = run.turns(STATIC) if run.double else ()
    off = [update_finding(run, *pair) is not None for pair in pairs]
    constant = bool(off) and off[0] and sum(off) >= thresholds.CONSTANT_SHARE * len(off)
    return replace(run, coarse=True) if constant else run


def _differs_in(run: SideRun, found: Divergence, case: Comparison) -> Judgement:
    told = differs(found, _rule_of(run))
    if run.double or case.double is None:
        return told
    alone = Reason.of("judging.single-alone")
    return replace(told, said=(*told.said, alone))


def _passed_by_any(case: Comparison, runs: list[SideRun]) -> Judgement:
    """What either run would have seen counts; float32 alone where nothing in it is excused."""
    told = _passed_by(case, allowing(runs[0]))
    for run in runs[1:]:
        if not told.verdict.passed and next(findings(run), None) is None:
            found = _passed_by(case, run)
            told = found if found.verdict.passed else told
    return told


def _passed_by(case: Comparison, run: SideRun) -> Judgement:
    seen = resolution(run)
    if not seen.stands:
        return Judgement(Verdict.NOT_RUN, (_blind(seen),))
    told = Reason.of(
        "judging.lockstep",
        updates=run.pairs,
        bits=64 if run.double else 32,
        size=f"{_furthest(run):.1e}",
    )
    extra = [] if run.double else [_why_no_double(case)]
    if run.coarse:
        extra.append(Reason.of("judging.constants"))
    extra += _measured_noise(case, run) + _by_chance(case, run)
    if run.singles:
        extra.append(Reason.of("judging.singles", names=run.singles))
    return passed(case, Verdict.PASS_TOLERANCE, _rule_of(run), told, would_see(seen), *extra)


def _rule_of(run: SideRun) -> str:
    return "lockstep in float64" if run.double else "lockstep"


def _measured_noise(case: Comparison, run: SideRun) -> list[Reason]:
    """What says how good the verdict is: false alarms, and float32 beside float64."""
    said = []
    known = alarms(run)
    if known.judged:
        said.append(Reason.of("judging.alarms", blamed=known.blamed, judged=known.judged))
    further = truth(case.lockstep_double)
    if further is not None:
        size = f"{further.factor:.1f}"
        said.append(Reason.of("judging.truth", updates=further.updates, size=size))
    return said


def _by_chance(case: Comparison, run: SideRun) -> list[Reason]:
    """That float32 alone is off now and then, as its control sides are."""
    if case.single is None or not run.double:
        return []
    single = replace(case.single, backed=True)
    static, controls = static_alarms(single), alarms(single)
    if not static.blamed:
        return []
    return [
        Reason.of(
            "judging.single-chance",
            blamed=static.blamed,
            judged=static.judged,
            alarms=controls.blamed,
            controls=controls.judged,
        )
    ]


def _furthest(run: SideRun) -> float:
    """The largest gradient distance by the global norm, over all updates of the static side."""
    far = 0.0
    for one, turn in run.turns(STATIC):
        scale = run.global_norm(one)
        distances = [gap.distance for gap in turn.grads.values()]
        far = max(far, max(distances, default=0.0) / scale if scale else 0.0)
    return far


def would_see(seen: Resolution) -> Reason:
    """What a fault must be for the verdict to have been another one."""
    size = seen.finest
    told = Reason.of(
        "judging.would-see",
        size=f"{size:.0e}",
        count=seen.seen.get(size, 0),
        all=seen.handed,
    )
    if seen.others:
        count = seen.others_seen[min(size, SIZES[-1])]
        told = Reason.of("judging.would-see-others", told=told, count=count, all=seen.others)
    if seen.coarse:
        named = seen.coarse[:_NAMED]
        told = Reason.of("judging.would-see-coarse", told=told, count=len(seen.coarse), names=named)
    if seen.zero:
        named = seen.zero[:_NAMED]
        told = Reason.of("judging.would-see-but", told=told, zero=len(seen.zero), names=named)
    if seen.without:
        told = Reason.of("judging.would-see-without", told=told, count=seen.without)
    if seen.loose:
        named = seen.loose[:_NAMED]
        told = Reason.of("judging.would-see-loose", told=told, count=len(seen.loose), names=named)
    return told


def _blind(seen: Resolution) -> Reason:
    if seen.blind:
        named = seen.blind[:_NAMED]
        return Reason.of("judging.blind", count=len(seen.blind), all=seen.parameters, names=named)
    if seen.too_loose:
        return Reason.of("judging.loose", count=len(seen.loose), names=seen.loose[:_NAMED])
    if seen.unseen:
        return Reason.of("judging.unseen", kinds=tuple(dict.fromkeys(seen.unseen)))
    return Reason.of("judging.plant-lost" if seen.parameters else "judging.no-gradient")


def _why_no_double(case: Comparison) -> Reason:
    if case.double is not None:
        return Reason.of("judging.double-blind")
    record = case.lockstep_double
    if record is None:
        return Reason.of("judging.double-not-made")
    return Reason.of("judging.double-failed", why=_why_not(record))


def _why_not(record: Record | None) -> Reason | str:
    """Why a run of several sides cannot be judged."""
    if record is None:
        return Reason.of("judging.few-pairs", made=0)
    if record.end.get("error"):
        last = str(record.end.get("message", "")).strip().splitlines() or [""]
        return shortened(f"{record.end['error']}: {last[-1]}", 200)
    if record.outcome != "ok":
        return Reason.of("judging.ended", outcome=record.outcome)
    made = len({turn.pair for turn in record.turns})
    return Reason.of("judging.few-pairs", made=made)


def free(case: Comparison) -> Judgement | None:
    """Free running, no step may be further away than rounding and the control runs allow.

    A few control runs may not show how far rounding goes: another kernel rounds a gradient of next
    to nothing otherwise. So where a run of sides was made and cannot be judged, a size counts only
    if no rounding makes so much of it from the same weights.
    """
    found = _beyond_envelope(case)
    if found is None or (_lacks_sides(case) and _may_round(case, found.first)):
        return None
    return differs(found, ENVELOPE)


def _beyond_envelope(case: Comparison) -> Divergence | None:
    return first_finding(case, case.distances, case.envelope)


def _lacks_sides(case: Comparison) -> bool:
    """Whether a run of sides was made and cannot be judged."""
    return case.single is None and bool(case.lockstep or case.double)


def _may_round(case: Comparison, first: FirstDifference) -> bool:
    """Whether a difference may be of rounding that no control run happened to show.

    Not where loss and gradients of its step are the same to the bit, or an optimizer's first
    update, which both modes make from the same weights, is off by more than rounding makes.
    """
    if first.kind not in ROUNDS:
        return False
    here = next(s for s in case.distances if (s.number, s.opt) == (first.step, first.opt))
    starts = (step for step in case.distances if step.number == 0)
    gross = any(
        step.loss_rel > thresholds.GROSS_LOSS or step.grad_rel > thresholds.GROSS_GRADIENT
        for step in starts
    )
    return not gross and not (here.losses_match and not here.grads)


def _uncovered(case: Comparison, runs: list[SideRun]) -> Judgement | None:
    """An update of the free run that no run of sides made: nothing says that it is the same.

    The busiest optimizer's last update ends a run of sides; others may follow in the free run.
    """
    free_steps, last = case.dynamic.steps, max(step.number for step in case.dynamic.steps)
    end = max(place for place, step in enumerate(free_steps) if step.number == last)
    asked = free_steps[: end + 1]
    for run in runs:
        ended = {visit.pair for _, visit in run.visits(STATIC)}
        made = {(turn.opt, turn.step) for _, turn in run.turns(STATIC) if turn.pair in ended}
        missing = [step for step in asked if (step.opt, step.number) not in made]
        if missing:
            known, step = len(asked) - len(missing), missing[0].number
            return not_run("judging.uncovered", made=known, all=len(asked), step=step)
    return None


def unjudged(case: Comparison) -> Judgement | None:
    """A run of sides was made and cannot be judged: the free runs alone cannot tell enough."""
    if not _lacks_sides(case):
        return None
    return not_run("judging.no-lockstep", why=_why_not(case.lockstep))


def envelope(case: Comparison) -> Judgement:
    """What is left passes within the envelope of the free control runs, if these moved anything."""
    found = draw_finding(case)
    if found is not None:
        return differs(found)
    if case.ulp is None:
        return not_run("judging.no-controls")
    if all(step.equal_values for step in case.shaken):
        return not_run("judging.void")
    found = ends_finding(case)
    if found is not None:
        return differs(found)
    blind = _hidden(case)
    if blind is not None:
        return Judgement(Verdict.NOT_RUN, (blind,))
    worst = max((step.grad_rel for step in case.distances), default=0.0)
    told = Reason.of("judging.envelope", size=f"{worst:.1e}")
    return passed(case, Verdict.PASS_TOLERANCE, ENVELOPE, told)


def outjudged(
    rule: str, verdict: Verdict, far: float | None, first: FirstDifference | None
) -> Reason | None:
    """Why an earlier judge's word on a probe does not stand; None where it does.

    It passed by an envelope that a fault of 1e-3 fits into (`far` is its largest gradient distance,
    by the global norm), or blamed what free runs alone make no different from rounding.
    """
    if rule == ENVELOPE and verdict.passed and (far or 0.0) > SIZES[-1]:
        return Reason.of("judging.wide-envelope", size=f"{far:.1e}")
    if rule != EQUALITY or not verdict.differs or first is None or first.kind not in ROUNDS:
        return None
    if verdict is Verdict.LOSS_DIFFERS:
        gross = first.relative > thresholds.GROSS_LOSS
    else:
        # `far` may be of a later update, and the first difference is by its own norm.
        gross = min(first.relative, far or 0.0) > thresholds.GROSS_GRADIENT
    return None if first.step == 0 and gross else Reason.of("judging.blamed-alone")


def _hidden(case: Comparison) -> Reason | None:
    """The gradients in which the slack of the control runs would hide one in a thousand."""
    largest = SIZES[-1]
    known: set[str] = set()
    blind: dict[str, None] = {}
    for step in case.dynamic.steps:
        for name, mark in step.grads.items():
            if not mark.present or mark.norm <= thresholds.ZERO_SHARE * step.grad_norm:
                continue
            known.add(name)
            seen = case.envelope.seen.get((step.opt, step.number, name), 0.0)
            if thresholds.ENVELOPE_FACTOR * seen > largest * mark.norm:
                blind[name] = None
    if not blind:
        return None
    return Reason.of("judging.blind", count=len(blind), all=len(known), names=(*blind,)[:_NAMED])
