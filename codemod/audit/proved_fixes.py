"""Findings with the fixes that are proved for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from shlex import join

from codemod.audit.findings import Finding, ProvedFix, Replacement
from codemod.audit.fixes.offers import Offer
from codemod.base.changeset import FileChange
from codemod.base.patch.hunks import hunks_of
from codemod.base.reason import Reason


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
            made = ProvedFix(command, fix.remedy.says, changed)
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
