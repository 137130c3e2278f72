"""Verdicts from the code alone, for configs that were not run: what `codemod.hazards` finds."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

from codemod.base.reason import Reason, spoken
from codemod.code.tree import Tree
from codemod.hazards import Effect, Mode, ModelHazards, Occurrence
from codemod.hazards.hazard import SEVERE
from codemod.hazards.kept_scans import kept_scan
from codemod.kits.config_rule import ConfigRule
from codemod.reports.survey.rows import PADDLES, ConfigVerdict, Outlook

# The worst first: what fails, then what changes the numbers, then what costs time.
_SEVERE = tuple(reversed(SEVERE))
_COSTLY = (Effect.EAGER, Effect.BREAK, Effect.RETRACE)


def scanned(
    tree: Tree, loaded: Iterable[tuple[ConfigRule, dict[str, dict[str, Any]]]]
) -> tuple[ModelHazards, ...]:
    """What was found of each config's model; configs whose net is not found are left out."""
    return tuple(
        one
        for rule, configs in loaded
        for one in (kept_scan(tree, rule, configs) if configs else ())
        if one.nets
    )


def predicted(
    models: Iterable[ModelHazards], settled: Collection[str] = ()
) -> dict[str, tuple[ConfigVerdict, ...]]:
    """By config, a verdict a static mode and Paddle; none where no net of the kit was found.

    `settled` are hazards that the kit's own hook sees to.
    """
    found = {}
    for one in models:
        found[one.config] = tuple(
            _verdict(one, mode, paddle, settled) for mode in Mode for paddle in PADDLES
        )
    return found


def _verdict(one: ModelHazards, mode: Mode, paddle: str, settled: Collection[str]) -> ConfigVerdict:
    effects = [
        (hazard, hazard.effect(mode, paddle)) for hazard in one.found if hazard.id not in settled
    ]
    grave = [hazard for effect in _SEVERE for hazard, e in effects if e is effect]
    severe = [hazard for hazard in grave if not hazard.is_doubtful(mode, paddle)]
    costly = [hazard for effect in _COSTLY for hazard, e in effects if e is effect]
    named = severe or grave or costly
    said = _said(named)
    return ConfigVerdict(
        mode.value,
        paddle,
        Outlook.AT_RISK if severe else Outlook.CLEAR,
        "hazards",
        spoken(said),
        f"{named[0].file}:{named[0].line}" if named else one.nets[0].partition(":")[0],
        hazard=named[0].id if named else "",
        said=said,
    )


def _said(named: list[Occurrence]) -> tuple[Reason, ...]:
    if not named:
        return ()
    one = named[0]
    first = Reason.of("reports.predicted", hazard=one.id, name=one.name, scope=one.scope)
    if len(named) == 1:
        return (first,)
    return (Reason.of("reports.predicted-more", first=first, more=len(named) - 1),)
