"""What plots and tables show of a run, small enough to be kept in its result."""

from __future__ import annotations

import math
from dataclasses import replace

from codemod.experiments.parity.experiment import JudgedMode
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.comparing.idle import idle_parameters
from codemod.judging.evidence.result import Curve, FurthestGradient, GradientSummary
from codemod.training.record import Record

GRADIENTS_KEPT = 20


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def losses(record: Record) -> tuple[float | None, ...]:
    """The first loss of each step of the first optimizer; None where it is not a number."""
    steps = [step for step in record.steps if step.opt == 0]
    return tuple(_number(step.losses[0]) if step.losses else None for step in steps)


def curves(judged: dict[str, JudgedMode]) -> dict[str, Curve]:
    """Losses of all modes, and the distance of each static mode from dynamic, step by step.

    Loss differences are the largest absolute ones of a step, gradient differences the largest ones
    scaled by the global norm; both of the first optimizer.
    """
    found: dict[str, Curve] = {}
    for mode, item in judged.items():
        comparison = item.comparison
        found["dynamic"] = Curve(losses(comparison.dynamic))
        if comparison.static is not comparison.dynamic:
            own = [step for step in comparison.distances if step.opt == 0]
            found[mode] = Curve(
                losses(comparison.static),
                tuple(_number(step.loss_abs) for step in own),
                tuple(_number(step.grad_rel) for step in own),
            )
    return found


def _with_gradient(case: Comparison) -> set[str]:
    """The parameters that have a gradient on some side, in a step that was compared.

    Frozen ones, and those that no loss comes to, are equal without saying anything.
    """
    compared = {(step.opt, step.number) for step in case.distances}
    steps = (*case.dynamic.steps, *case.static.steps)
    made = (step.grads for step in steps if (step.opt, step.number) in compared)
    return {name for grads in made for name, mark in grads.items() if mark.present}


def gradients(item: JudgedMode) -> GradientSummary:
    """The gradients furthest apart, and how many parameters agree to the bit throughout."""
    worst: dict[str, FurthestGradient] = {}
    case = item.comparison
    idle = idle_parameters(case.dynamic, case.static)
    # A run that was cut off does not say what it would have updated.
    known = bool(case.dynamic.weights and case.static.weights)
    for step in case.distances:
        for diff in step.grads:
            own = diff.distance / diff.norm if diff.norm else math.inf
            updated = False if diff.name in idle else (True if known else None)
            row = worst.setdefault(
                diff.name, FurthestGradient(diff.name, diff.kind, step.number, own, updated)
            )
            if own > (row.relative or 0.0):
                worst[diff.name] = replace(row, relative=own)
    names = _with_gradient(case) | set(worst)
    rows = sorted(worst.values(), key=lambda row: -(row.relative or 0.0))[:GRADIENTS_KEPT]
    return GradientSummary(
        compared=len(names),
        equal=len(names - set(worst)),
        furthest=tuple(replace(row, relative=_number(row.relative or 0.0)) for row in rows),
    )
