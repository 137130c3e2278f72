"""An audit as a SARIF 2.1.0 log, which code hosts show beside the code."""

from __future__ import annotations

import hashlib
import json
import os
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any
from urllib.parse import quote

from codemod.audit.baseline import Key, known_by
from codemod.audit.findings import Finding, ProvedFix, Replacement
from codemod.audit.kinds import FindingKind, kinds
from codemod.audit.suppression import Suppressed
from codemod.base.grouping import grouped
from codemod.base.messages import Language
from codemod.base.reason import Reason
from codemod.base.version import version


def to_sarif(
    runs: Sequence[tuple[Suppressed, Collection[Finding] | None]], language: Language = "en"
) -> dict[str, Any]:
    """One run a kit: what was found, and which of it is new; None where there is no baseline.

    Each result has a fingerprint that stays where lines move, and where `CODEMOD_HELP` has the
    address of the guides, each rule has its page there.
    Paths are relative to the kit's root. Suppressed findings are in the log, marked as such.
    """
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [_run(judged, new, language) for judged, new in runs],
    }


def _run(judged: Suppressed, new: Collection[Finding] | None, language: Language) -> dict[str, Any]:
    suppressed = [finding for finding, _ in judged.suppressed]
    found = sorted({finding.kind for finding in (*judged.open, *suppressed)})
    rules = [_rule(kinds()[name], language) for name in found]
    results = [_result(f, found, language) for f in judged.open]
    for result, finding in zip(results, judged.open, strict=True):
        if new is not None:
            result["baselineState"] = "new" if finding in new else "unchanged"
    for finding, comment in judged.suppressed:
        mark = {"kind": "inSource", "justification": comment.reason}
        state = {} if new is None else {"baselineState": "unchanged"}
        results.append({**_result(finding, found, language), **state, "suppressions": [mark]})
    _fingerprint(results, (*judged.open, *suppressed))
    driver = {"name": "codemod", "version": version(), "rules": rules}
    tool: dict[str, Any] = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}
    return {**tool, **({"language": "zh-CN"} if language == "zh" else {}), "results": results}


def _fingerprint(results: Sequence[dict[str, Any]], findings: Sequence[Finding]) -> None:
    """Mark each result by what a baseline knows it by; of equal ones by their number, too."""
    seen: Counter[Key] = Counter()
    for result, finding in zip(results, findings, strict=True):
        key = known_by(finding)
        seen[key] += 1
        text = json.dumps([*key, seen[key]])
        digest = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
        result["partialFingerprints"] = {"codemodFinding/v3": digest}


def _help(kind: FindingKind) -> dict[str, str]:
    guides = os.environ.get("CODEMOD_HELP", "").rstrip("/")
    if not guides:
        return {}
    page = "hazards.md" if kind.id.startswith("D-") else "check.md#kinds"
    return {"helpUri": f"{guides}/{page}"}


def _rule(kind: FindingKind, language: Language) -> dict[str, Any]:
    summary, remedy = kind.told(language)
    apart = " " if language == "en" else ""
    return {
        **_help(kind),
        "id": kind.id,
        "name": kind.name,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": f"{summary}{apart}{remedy}"},
        "help": {"text": remedy, "markdown": remedy},
        "defaultConfiguration": {"level": kind.level.value},
    }


def _result(finding: Finding, rules: list[str], language: Language) -> dict[str, Any]:
    location = {
        "artifactLocation": _artifact(finding.file),
        # Code hosts show only results that have a line; a whole file is shown at its first.
        "region": {"startLine": finding.line or 1},
    }
    result = {
        "ruleId": finding.kind,
        "ruleIndex": rules.index(finding.kind),
        "level": finding.level.value,
        "message": {"text": finding.text(language)},
        "locations": [{"physicalLocation": location}],
    }
    return {**result, "fixes": [_fix(finding.fix, language)]} if finding.fix else result


def _artifact(file: str) -> dict[str, str]:
    """A file's address: a URI reference, which a space or a percent sign would break."""
    return {"uri": quote(os.fsencode(file), safe="/+@,()")}


def _fix(fix: ProvedFix, language: Language) -> dict[str, Any]:
    """Whole lines are taken out, up to the start of the line that follows them."""
    by_file = grouped((one.file, _replacement(one)) for one in fix.replacements)
    changes = [
        {"artifactLocation": _artifact(file), "replacements": replaced}
        for file, replaced in by_file.items()
    ]
    told = Reason.of("audit.fix", says=fix.says, command=fix.command).text(language)
    return {"description": {"text": told}, "artifactChanges": changes}


def _replacement(one: Replacement) -> dict[str, Any]:
    region = {"startLine": one.first, "startColumn": 1, "endLine": one.last + 1, "endColumn": 1}
    return {"deletedRegion": region, "insertedContent": {"text": one.text}}
