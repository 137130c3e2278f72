"""What plots and tables show of a run, small enough to be kept in its result."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from codemod.judging.compare import StepDistance
    from codemod.parity.experiment import Judged
    from codemod.training.record import Record

GRADIENTS_KEPT = 20


def _number(value: float) -> float | None:
    return value if math.isfinite(value) else None


def losses(record: Record) -> list[float | None]:
    """The first loss of each step of the first optimizer; None where it is not a number."""
    steps = [step for step in record.steps if step.opt == 0 and not step.side]
    return [_number(step.losses[0]) if step.losses else None for step in steps]


def differences(distances: tuple[StepDistance, ...]) -> list[float | None]:
    """The largest absolute loss difference of each step of the first optimizer."""
    return [_number(step.loss_abs) for step in distances if step.opt == 0]


def gradient_differences(distances: tuple[StepDistance, ...]) -> list[float | None]:
    """The largest gradient distance of each step, scaled by the global norm."""
    return [_number(step.grad_rel) for step in distances if step.opt == 0]


def curves(judged: dict[str, Judged]) -> dict[str, Any]:
    """Losses of all modes, and the distance of each static mode from dynamic, step by step."""
    found: dict[str, Any] = {}
    for mode, item in judged.items():
        found["dynamic"] = {"loss": losses(item.case.dynamic)}
        if item.case.static is not item.case.dynamic:
            found[mode] = {
                "loss": losses(item.case.static),
                "loss_difference": differences(item.case.distances),
                "grad_difference": gradient_differences(item.case.distances),
            }
    return found


def gradients(item: Judged) -> dict[str, Any]:
    """The gradients furthest apart: name, class, first step, largest distance by own norm.

    `compared` counts the parameters that had a gradient, `equal` those equal to the bit throughout.
    """
    worst: dict[str, dict[str, Any]] = {}
    for step in item.case.distances:
        for diff in step.grads:
            own = diff.distance / diff.norm if diff.norm else math.inf
            row = worst.setdefault(
                diff.name,
                {"name": diff.name, "class": diff.kind, "first_step": step.number, "relative": own},
            )
            row["relative"] = max(row["relative"], own)
    names = {name for step in item.case.dynamic.steps for name in step.grads}
    rows = sorted(worst.values(), key=lambda row: -row["relative"])[:GRADIENTS_KEPT]
    for row in rows:
        row["relative"] = _number(row["relative"])
    return {"compared": len(names), "equal": len(names - set(worst)), "furthest": rows}
