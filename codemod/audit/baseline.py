"""An audit kept in a file, so that a later one fails only on what is new.

A finding is known again by its kind, file and reason without numbers: lines may move, and the
words of a reason be others. A blocked config is known by its path alone. Equal findings are
counted.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from codemod.audit.findings import CONFIG_BLOCKED, Finding
from codemod.audit.reach import Reach
from codemod.base.errors import UsageError
from codemod.base.files.shared_file import export, read_bytes
from codemod.base.terminal.doing import note

_VERSION = 3
Key = tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Baseline:
    """One kit's earlier audit: how often each finding was there, and which configs got through.

    `reach` maps a config to the code of what stopped it, None where it reached a hook.
    """

    findings: Counter[Key] = field(default_factory=Counter)
    reach: dict[str, str | None] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SinceBaseline:
    """What is new against a baseline; configs that are gone are neither lost nor gained."""

    new: tuple[Finding, ...]
    fixed: int
    lost: tuple[Reach, ...]
    gained: tuple[Reach, ...]
    removed: tuple[str, ...]
    before: int
    after: int


def compare(
    earlier: Baseline, findings: Sequence[Finding], reach: Sequence[Reach]
) -> SinceBaseline:
    """What changed since the baseline was written."""
    known = Counter(earlier.findings)
    new: list[Finding] = []
    for finding in findings:
        key = known_by(finding)
        if known[key] > 0:
            known[key] -= 1
        else:
            new.append(finding)
    was = earlier.reach
    here = {row.config for row in reach}
    return SinceBaseline(
        tuple(new),
        known.total(),
        tuple(r for r in reach if r.before and r.config in was and was[r.config] is None),
        tuple(r for r in reach if r.before is None and was.get(r.config, "") is not None),
        tuple(config for config in was if config not in here),
        sum(blocked is None for blocked in was.values()),
        sum(row.before is None for row in reach),
    )


def baseline_of(findings: Iterable[Finding], reach: Iterable[Reach]) -> Baseline:
    """An audit as a baseline for later ones."""
    stopped = {row.config: row.before.code if row.before else None for row in reach}
    return Baseline(Counter(map(known_by, findings)), stopped)


def write_baselines(file: Path, kits: dict[str, Baseline]) -> None:
    """Write the file, a kit's findings one a line so that it can be read and merged."""
    content = {"version": _VERSION, "kits": {name: _to_json(one) for name, one in kits.items()}}
    text = json.dumps(content, ensure_ascii=False, indent=1) + "\n"
    export(file, text.encode("utf-8", "backslashreplace"))


def read_baselines(file: Path) -> dict[str, Baseline]:
    """The baselines that a file holds, by kit.

    Raises:
        UsageError: there is no such file, or it is not a baseline.
    """
    try:
        data = read_bytes(file)
        if data is None:
            raise UsageError(
                f"There is no baseline {file}.", "Write it first: add --write-baseline."
            )
        content = json.loads(data)
        if content["version"] != _VERSION:
            raise UsageError(
                f"{file} was written by another version of codemod.",
                "Write it again with --write-baseline.",
            )
        return {name: _from_json(one) for name, one in content["kits"].items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise UsageError(
            f"{file} is not a baseline of codemod.", "Write it again with --write-baseline."
        ) from error


def check_kits(file: Path, earlier: Mapping[str, Baseline], names: Sequence[str]) -> None:
    """Refuse a baseline that was written for other kits; of kits that it lacks, tell the user.

    Raises:
        UsageError: the file holds none of the kits in `names`.
    """
    lacking = [name for name in names if name not in earlier]
    if not lacking:
        return
    held = ", ".join(sorted(earlier)) or "no kit"
    if len(lacking) == len(names):
        raise UsageError(
            f"The baseline {file} is for {held}, not for {', '.join(names)}.",
            "Name another file, or write this one again with --write-baseline.",
        )
    note(f"The baseline {file} lacks {', '.join(lacking)}: all findings there count as new.")


def _to_json(baseline: Baseline) -> dict[str, Any]:
    rows = [
        {"id": key[0], "file": key[1], "reason": json.loads(key[2]), "count": count}
        for key, count in sorted(baseline.findings.items())
    ]
    return {"findings": rows, "reach": dict(sorted(baseline.reach.items()))}


def _from_json(content: dict[str, Any]) -> Baseline:
    rows = content["findings"]
    counts = {(str(r["id"]), str(r["file"]), _text(r["reason"])): int(r["count"]) for r in rows}
    return Baseline(Counter(counts), dict(content["reach"]))


def known_by(finding: Finding) -> Key:
    """What a finding is known again by: lines may move, and numbers in its reason change."""
    if finding.kind == CONFIG_BLOCKED:
        return finding.kind, finding.file, _text({})
    return finding.kind, finding.file, _text(_numberless(finding.reason.to_json()))


def _numberless(value: Any) -> Any:
    """A reason with a sign for each number in its fields; its codes are left as they are."""
    if isinstance(value, Mapping):
        return {key: one if key == "code" else _numberless(one) for key, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_numberless(one) for one in value]
    if isinstance(value, str):
        return re.sub(r"\d+", "#", value)
    return "#" if isinstance(value, (int, float)) and not isinstance(value, bool) else value


def _text(reason: Mapping[str, Any]) -> str:
    """A reason as text that does not depend on the order of its fields."""
    return json.dumps(reason, ensure_ascii=False, sort_keys=True)
