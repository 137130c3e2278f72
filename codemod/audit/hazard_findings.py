"""Hazards as findings of an audit: what a plain hook would make fail, or make other numbers."""

from __future__ import annotations

from collections.abc import Iterable

from codemod.audit.findings import Finding, Level
from codemod.base.reason import Reason
from codemod.hazards.hazard import SEVERE, Effect, Mode, Occurrence
from codemod.hazards.scan import ModelHazards

_MEANS = {
    Effect.WRONG: Reason.of("findings.trains-wrong"),
    Effect.ERROR: Reason.of("findings.fails"),
}


def findings(models: Iterable[ModelHazards], settled: tuple[str, ...] = ()) -> tuple[Finding, ...]:
    """One finding a line of code whose effect in the default mode (SOT) is severe.

    A silent difference is a warning, unless the kit's hook sees to it (`settled` ids); an error
    is a note, since the run itself will say so.
    """
    lines: dict[tuple[str, str, int], tuple[Occurrence, list[str]]] = {}
    for model in models:
        for found in model.found:
            if found.effect(Mode.SOT) in SEVERE:
                key = (found.id, found.file, found.line)
                lines.setdefault(key, (found, []))[1].append(model.config)
    return tuple(_finding(found, configs, found.id in settled) for found, configs in lines.values())


def _finding(found: Occurrence, configs: list[str], settled: bool) -> Finding:
    effect = found.effect(Mode.SOT)
    many = len(configs) > 1
    return Finding(
        f"{found.id} {found.name}",
        Level.WARNING if effect is Effect.WRONG and not settled else Level.NOTE,
        found.file,
        found.line,
        Reason.of(
            "findings.hazard",
            scope=found.scope,
            detail=found.detail,
            effect=_MEANS[effect],
            configs=Reason.of("findings.so-many", number=len(configs)) if many else configs[0],
        ),
        (
            Reason.of("findings.hook-sees-to-it")
            if settled
            else Reason.said(found.remedy, found.remedy_zh),
        ),
    )
