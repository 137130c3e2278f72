"""What changed since an earlier survey, from the two JSON forms."""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from codemod.base.errors import UsageError
from codemod.judging.evidence.result import RAN

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class RowChange:
    """One change of one row. `kind` is row, configs, hook or verdict; `was`, `now` are texts."""

    kit: str
    row: str
    kind: str
    what: str
    was: str
    now: str


def read_survey(file: Path) -> dict[str, Any]:
    """An earlier survey's JSON.

    Raises:
        UsageError: the file cannot be read or holds no survey of this form.
    """
    try:
        packed = file.read_bytes()
        data = json.loads(gzip.decompress(packed) if file.suffix == ".gz" else packed)
    except (OSError, EOFError, ValueError) as error:
        raise UsageError(f"{file} cannot be read as a survey.", "Give a survey's JSON.") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA or "kits" not in data:
        raise UsageError(f"{file} is not the JSON of a survey.", "Make one with -o FILE.json.")
    return data


def changes(old: dict[str, Any], new: dict[str, Any]) -> list[RowChange]:
    """The changes of the kits that both surveys have."""
    before = {kit["kit"]: kit for kit in old["kits"]}
    found: list[RowChange] = []
    for kit in new["kits"]:
        if was := before.get(kit["kit"]):
            found += _kit_changes(kit["kit"], was, kit)
    return found


def _kit_changes(name: str, old: dict[str, Any], new: dict[str, Any]) -> list[RowChange]:
    was = {row["id"]: row for row in old["rows"]}
    now = {row["id"]: row for row in new["rows"]}
    found = []
    for key in {**now, **was}:
        before, after = was.get(key), now.get(key)
        if before is None or after is None:
            row = after or before or {}
            states = (before["state"] if before else "", after["state"] if after else "")
            found.append(RowChange(name, row["name"], "row", "", *states))
        else:
            found += _row_changes(name, before, after)
    return found


def _row_changes(kit: str, old: dict[str, Any], new: dict[str, Any]) -> list[RowChange]:
    before, after = _verdicts(old), _verdicts(new)
    told = [
        ("row", "state", old["state"], new["state"]),
        ("row", "configs", str(len(old["configs"])), str(len(new["configs"]))),
        ("row", "hooked", _hooked(old), _hooked(new)),
    ]
    told += [
        ("verdict", " ".join(key), before.get(key, ""), after.get(key, ""))
        for key in {**after, **before}
    ]
    name = new["name"]
    return [RowChange(kit, name, *change) for change in told if change[2] != change[3]]


def _hooked(row: dict[str, Any]) -> str:
    return str(sum(config["before"] is None for config in row["configs"]))


def _verdicts(row: dict[str, Any]) -> dict[tuple[str, str, str], str]:
    """The verdicts of what was run, by config, mode and Paddle."""
    return {
        (config["path"], v["mode"], v["paddle"]): v["verdict"]
        for config in row["configs"]
        for v in config["verdicts"]
        if v["source"] in RAN
    }
