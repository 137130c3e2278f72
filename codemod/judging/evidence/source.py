"""The source of a verdict: the kit's trainer, its own step, a net alone, or a placeholder loss."""

from __future__ import annotations

from codemod.judging.evidence.result import Grade, ProbePart, Result

RAN = ("parity", "step", "probe", "placeholder")
"""By what was trained, the most telling first."""


def source_of(result: Result) -> str:
    """One of `RAN`: a probe of a net alone is told by whose loss it used."""
    if result.probe is None:
        return "parity"
    if result.probe.grade is Grade.STEP:
        return "step"
    return "probe" if has_own_loss(result.probe) else "placeholder"


def has_own_loss(probe: ProbePart) -> bool:
    """Whether the kit's own loss was used; results of before say it by their attempt alone."""
    if probe.own_loss is not None:
        return probe.own_loss
    return probe.attempt.get("loss") in ("kit", "step")
