"""Verdicts of configs that were not run but build the same computation as one that was."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from codemod.base.grouping import grouped
from codemod.hazards import ModelHazards
from codemod.judging.evidence.result import RAN
from codemod.judging.verdict import Verdict
from codemod.reports.survey.cells import is_good, speaks
from codemod.reports.survey.rows import SAME, ConfigVerdict

# These depend on sizes, in which alike configs may differ.
_OF_SIZE = (Verdict.TIMEOUT, Verdict.OOM)
# What its cause is known by; all other figures are of that run alone.
_OF_CAUSE = ("hazard", "first")
Verdicts = dict[str, tuple[ConfigVerdict, ...]]


def alike(models: Iterable[ModelHazards], ran: Mapping[str, tuple[ConfigVerdict, ...]]) -> Verdicts:
    """By config, the verdicts of alike configs for the modes and Paddles that it was not run in.

    Where alike configs were run and do not agree whether it trains as it should, nothing is said.
    """
    groups = grouped((m.computation, m.config) for m in models if m.computation is not None)
    found: Verdicts = {}
    for configs in groups.values():
        known = _known(configs, ran)
        for config in configs:
            own = {(v.mode, v.paddle) for v in ran.get(config, ()) if v.source in RAN}
            said = tuple(v for key, v in known.items() if key not in own)
            if said:
                found[config] = said
    return found


def _known(
    configs: Iterable[str], ran: Mapping[str, tuple[ConfigVerdict, ...]]
) -> dict[tuple[str, str], ConfigVerdict]:
    """What the runs of alike configs agree on, by mode and Paddle."""
    told = grouped(
        ((verdict.mode, verdict.paddle), (config, verdict))
        for config in sorted(configs)
        for verdict in ran.get(config, ())
        if speaks(verdict.verdict, verdict.mode) and verdict.verdict not in _OF_SIZE
    )
    return {
        key: _of_another(*said[0])
        for key, said in told.items()
        if len({is_good(verdict.verdict) for _, verdict in said}) == 1
    }


def _of_another(config: str, verdict: ConfigVerdict) -> ConfigVerdict:
    figures = {name: told for name, told in verdict.figures.items() if name in _OF_CAUSE}
    plain = replace(verdict, figures=figures, hazard="", losses={}, speed=None)
    return replace(plain, source=SAME, same_as=config)
