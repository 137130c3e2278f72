"""What rehearsals found, as findings of `check --exec`."""

from __future__ import annotations

from collections.abc import Iterable

from codemod.audit.findings import Finding, Level
from codemod.base.reason import Reason
from codemod.experiments.rehearse.rehearsal import Rehearsal, RehearsalOutcome

REFUSED = "rehearsal-refused"


def findings(rehearsed: Iterable[Rehearsal]) -> tuple[Finding, ...]:
    """One finding for each scope whose hooks a rehearsal refuses."""
    return tuple(
        Finding(
            REFUSED,
            Level.ERROR,
            one.file,
            None,
            Reason.of("findings.rehearsal-refused", scope=one.scope, why=one.reason),
        )
        for one in rehearsed
        if one.outcome is RehearsalOutcome.REFUSED and one.reason is not None
    )
