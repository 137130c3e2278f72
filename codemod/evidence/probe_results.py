"""Results of probes in the workspace, and what they add up to."""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Any

from codemod.judging.verdict import PASSES
from codemod.training.launch import slug

if TYPE_CHECKING:
    from pathlib import Path

    from codemod.base.workspace import Workspace


def folder_of(workspace: Workspace, kit: str) -> Path:
    """Where a kit's results lie."""
    return workspace.root / "probes" / kit


def path_of(workspace: Workspace, kit: str, config: str, paddle: str) -> Path:
    """The file of one config's result under one Paddle."""
    return folder_of(workspace, kit) / f"{slug(config)}-paddle{paddle}.json"


def known(
    path: Path, revision: str | None, adapter: int, limit_s: float, memory_gb: float
) -> dict[str, Any] | None:
    """The kept result, if it is of this revision and adapter, and no lower limit cut it off."""
    content = _read(path)
    if content is None or (content.get("revision"), content.get("adapter")) != (revision, adapter):
        return None
    ends = {content["modes"]["dynamic"]["outcome"], *_verdicts(content)}
    short = "timeout" in ends and content.get("limit_s", 0.0) < limit_s
    # Results of before there was a limit had the whole machine.
    small = "oom" in ends and content.get("memory_gb", math.inf) < memory_gb
    return None if short or small else content


def _verdicts(content: dict[str, Any]) -> list[str]:
    return [content["modes"][mode]["verdict"] for mode in ("ast", "sot")]


def _read(path: Path) -> dict[str, Any] | None:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    wanted = {"kit", "config", "paddle", "modes"}
    return content if isinstance(content, dict) and wanted <= content.keys() else None


def read_all(workspace: Workspace, kits: tuple[str, ...] = ()) -> list[dict[str, Any]]:
    """All results, or those of some kits, by file name."""
    base = workspace.root / "probes"
    files = [file for kit in kits for file in (base / kit).glob("*.json")]
    found = [_read(file) for file in sorted(files if kits else base.glob("*/*.json"))]
    return [content for content in found if content is not None]


def summary(results: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row a kit and Paddle: models probed, built, ran; agreed and verdicts by mode.

    "agreed" counts every verdict that passes, partial captures and earned tolerances too.
    """
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for content in results:
        groups[content["kit"], content["paddle"]].append(content)
    return [_row(kit, paddle, group) for (kit, paddle), group in sorted(groups.items())]


def _row(kit: str, paddle: str, group: list[dict[str, Any]]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "kit": kit,
        "paddle": paddle,
        "models": len(group),
        "configs": sum(1 + len(content.get("also", ())) for content in group),
        "built": sum(bool(content["built"]) for content in group),
        "ran": sum(content["modes"]["dynamic"]["outcome"] == "ok" for content in group),
        "seconds": round(sum(float(content["seconds"]) for content in group)),
    }
    for mode in ("ast", "sot"):
        verdicts = Counter(content["modes"][mode]["verdict"] for content in group)
        row[mode] = {
            "agreed": sum(verdicts[verdict] for verdict in PASSES),
            "verdicts": dict(verdicts.most_common()),
        }
    return row
