"""The kinds of findings: what each is called, what it means, what to do."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache

from codemod.audit.findings import Finding, Level
from codemod.base.errors import UsageError, did_you_mean
from codemod.base.files.data_folder import table_beside
from codemod.base.messages import Language
from codemod.base.reason import Reason


@dataclass(frozen=True, slots=True)
class FindingKind:
    """One kind of finding. `level` is its usual level; a hazard may be found at another.

    What it means and what to do are there in Chinese too.
    """

    id: str
    name: str
    level: Level
    summary: str
    help: str
    summary_zh: str
    help_zh: str

    def told(self, language: Language) -> tuple[str, str]:
        """What it means, and what to do."""
        return (self.summary_zh, self.help_zh) if language == "zh" else (self.summary, self.help)


@cache
def _own() -> dict[str, FindingKind]:
    return {
        id_: FindingKind(id_, name, Level(level), *told)
        for id_, (name, level, *told) in table_beside(__file__, "kinds.yaml").items()
    }


def finding(kind: str, file: str, line: int | None, reason: Reason, *advice: Reason) -> Finding:
    """A finding of one of the audit's own kinds, at its usual level."""
    return Finding(kind, _own()[kind].level, file, line, reason, advice)


@cache
def kinds() -> dict[str, FindingKind]:
    """All kinds by identifier: the audit's own, then the hazards of the catalogue."""
    from codemod.hazards.catalog import CATALOG

    hazards = {}
    for h in CATALOG:
        means = Reason.of("findings.breaks", name=h.name)
        told = (means.text(), h.remedy, means.text("zh"), h.remedy_zh)
        hazards[h.id] = FindingKind(h.id, h.name, Level.WARNING, *told)
    return _own() | hazards


def matching(patterns: tuple[str, ...]) -> frozenset[str]:
    """The kinds that identifiers or globs (`tipc-*`, `D-*`) name.

    Raises:
        UsageError: a pattern names no kind.
    """
    named: set[str] = set()
    for pattern in patterns:
        found = [name for name in kinds() if fnmatchcase(name.lower(), pattern.lower())]
        if not found:
            own = ", ".join(_own())
            every = f"Known: {own} and the hazards D-01 and on."
            raise UsageError(
                f"`{pattern}` is not a kind of finding.", did_you_mean(pattern, kinds(), every)
            )
        named.update(found)
    return frozenset(named)
