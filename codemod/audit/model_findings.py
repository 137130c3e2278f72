"""What an audit finds of a kit's models: hazards, with the fixes proved for them; slow training."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from shlex import join

from codemod.audit.findings import SLOW_STATIC, Finding, Level, ProvedFix, Replacement
from codemod.audit.fixes.offers import Offer
from codemod.audit.kinds import finding
from codemod.base.changeset import FileChange
from codemod.base.grouping import grouped, grouped_once
from codemod.base.patch.hunks import hunks_of
from codemod.base.reason import Reason
from codemod.hazards.hazard import SEVERE, Effect, Mode, Occurrence
from codemod.hazards.scan import ModelHazards
from codemod.judging.evidence.speed_rows import SpeedRow
from codemod.judging.speed.speed import SpeedVerdict

_MEANS = {
    Effect.WRONG: Reason.of("findings.trains-wrong"),
    Effect.ERROR: Reason.of("findings.fails"),
}


def hazard_findings(
    models: Iterable[ModelHazards], settled: tuple[str, ...] = ()
) -> tuple[Finding, ...]:
    """One finding a line of code whose effect in the default mode (SOT) is severe.

    A silent difference is a warning, unless the kit's hook sees to it (`settled` ids); an error
    is a note, since the run itself will say so.
    """
    lines = grouped(
        ((found.id, found.file, found.line), (found, model.config))
        for model in models
        for found in model.found
        if found.effect(Mode.SOT) in SEVERE
    )
    return tuple(
        _finding(rows[0][0], [config for _, config in rows], rows[0][0].id in settled)
        for rows in lines.values()
    )


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
            detail=found.reason,
            effect=_MEANS[effect],
            configs=Reason.of("findings.so-many", number=len(configs)) if many else configs[0],
        ),
        (
            Reason.of("findings.hook-sees-to-it")
            if settled
            else Reason.said(found.remedy, found.remedy_zh),
        ),
    )


def with_fixes_of(
    found: Iterable[Finding], kit: str, offers: Iterable[Offer]
) -> tuple[Finding, ...]:
    """The findings; one that the fixes of an offer take away names the command that writes them."""
    proved: dict[tuple[str, str, int], ProvedFix] = {}
    for offer in offers:
        if offer.refusal is not None or not offer.found.fixes:
            continue
        command = join(["codemod", "fix", kit, "-c", offer.config])
        changed = tuple(one for change in offer.change.changes for one in _replacements(change))
        for fix in offer.found.fixes:
            made = ProvedFix(command, fix.remedy.reason, changed)
            proved.setdefault((fix.remedy.id, fix.file, fix.line), made)
    return tuple(_with_fix(one, proved.get((one.kind, one.file, one.line or 0))) for one in found)


def _with_fix(finding: Finding, fix: ProvedFix | None) -> Finding:
    if fix is None:
        return finding
    proved = Reason.of("findings.fix-proved", command=fix.command)
    return replace(finding, fix=fix, advice=(*finding.advice, proved))


def _replacements(change: FileChange) -> Iterator[Replacement]:
    for hunk in hunks_of(change):
        text = b"".join(hunk.new).decode("utf-8", "replace")
        yield Replacement(change.path, hunk.start + 1, hunk.stop, text)


# Causes that hold wherever it is trained: a small program may pay off on a card.
_ANYWHERE = frozenset(
    f"judging.speed-{name}"
    for name in ("program-a-step", "late-programs", "breaks", "breaks-at", "dense")
)


def slow_findings(
    rows: Iterable[SpeedRow], revision: str | None, configs: Iterable[str]
) -> tuple[Finding, ...]:
    """A note for each cause of a config that was timed at this revision and slower; no ratio.

    Of a config that is faster all the same, or as fast, a cause is no finding.
    """
    known = frozenset(configs)
    found = grouped_once(
        ((row.config, cause), f"{row.mode} {row.paddle}")
        for row in rows
        if row.verdict is SpeedVerdict.SLOWER and row.config in known and row.revision == revision
        for cause in row.causes
        if cause.code in _ANYWHERE
    )
    made = []
    for (config, cause), runs in found.items():
        why = Reason.of("findings.slow-static", runs=tuple(sorted(runs)), cause=cause)
        advice = [_REMEDIES[cause.code]] if cause.code in _REMEDIES else []
        made.append(finding(SLOW_STATIC, config, None, why, *advice))
    return tuple(made)


_REMEDIES = {
    "judging.speed-program-a-step": Reason.of("findings.slow-spec"),
    "judging.speed-late-programs": Reason.of("findings.slow-spec"),
    "judging.speed-dense": Reason.of("findings.slow-dense"),
}
