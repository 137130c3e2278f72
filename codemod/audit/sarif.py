"""An audit as a SARIF 2.1.0 log, which code hosts show beside the code."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from codemod import __version__
from codemod.audit.kinds import FindingKind, kinds

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from codemod.audit.findings import Finding
    from codemod.audit.suppression import Suppressed


def to_sarif(runs: Sequence[tuple[Suppressed, Collection[Finding]]]) -> dict[str, Any]:
    """One run a kit: what was found, and which of it is new against the baseline.

    Paths are relative to the kit's root. Suppressed findings are in the log, marked as such.
    """
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [_run(judged, new) for judged, new in runs],
    }


def _run(judged: Suppressed, new: Collection[Finding]) -> dict[str, Any]:
    suppressed = [finding for finding, _ in judged.suppressed]
    found = sorted({finding.kind for finding in (*judged.open, *suppressed)})
    rules = [_rule(kinds()[name]) for name in found]
    results = [_result(f, found, "new" if f in new else "unchanged") for f in judged.open]
    for finding, comment in judged.suppressed:
        mark = {"kind": "inSource", "justification": comment.reason}
        results.append({**_result(finding, found, "unchanged"), "suppressions": [mark]})
    driver = {"name": "codemod", "semanticVersion": __version__, "rules": rules}
    return {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}


def _rule(kind: FindingKind) -> dict[str, Any]:
    return {
        "id": kind.id,
        "name": kind.name,
        "shortDescription": {"text": kind.summary},
        "fullDescription": {"text": f"{kind.summary} {kind.help}"},
        "help": {"text": kind.help, "markdown": kind.help},
        "defaultConfiguration": {"level": kind.level.value},
    }


def _result(finding: Finding, rules: list[str], state: str) -> dict[str, Any]:
    # A location is a URI reference: a space or a percent sign in a path would break it.
    location = {
        "artifactLocation": {"uri": quote(os.fsencode(finding.file), safe="/+@,()")},
        # Code hosts show only results that have a line; a whole file is shown at its first.
        "region": {"startLine": finding.line or 1},
    }
    return {
        "ruleId": finding.kind,
        "ruleIndex": rules.index(finding.kind),
        "level": finding.level.value,
        "message": {"text": f"{finding.message} {finding.remedy}".strip()},
        "locations": [{"physicalLocation": location}],
        "baselineState": state,
    }
