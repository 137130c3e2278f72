"""What an audit finds, for people, for machines, and as SARIF for a kit's CI."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any
from urllib.parse import quote

from codemod import __version__


class Level(str, Enum):
    """How much a finding matters; errors and warnings make the check fail."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding; `line` is 1-based, None where the finding speaks of a whole file."""

    id: str
    level: Level
    file: str
    line: int | None
    message: str
    remedy: str = ""

    def to_json(self) -> dict[str, Any]:
        """The finding as one JSON object."""
        return {**asdict(self), "level": self.level.value}


def to_sarif(findings: tuple[Finding, ...]) -> dict[str, Any]:
    """The findings as a SARIF 2.1.0 log, which code hosts show beside the code."""
    rules = [{"id": name} for name in sorted({finding.id for finding in findings})]
    driver = {"name": "codemod", "version": __version__, "rules": rules}
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "results": [_result(f) for f in findings]}],
    }


def _result(finding: Finding) -> dict[str, Any]:
    # A location is a URI reference: a space or a percent sign in a path would break it.
    location: dict[str, Any] = {"artifactLocation": {"uri": quote(finding.file, safe="/+@,()")}}
    if finding.line:
        location["region"] = {"startLine": finding.line}
    return {
        "ruleId": finding.id,
        "level": finding.level.value,
        "message": {"text": f"{finding.message} {finding.remedy}".strip()},
        "locations": [{"physicalLocation": location}],
    }
