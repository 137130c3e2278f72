"""Results of probes in the workspace: where they lie, whether they stand, what they add up to."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from codemod.base.files.workspace import Workspace
from codemod.base.grouping import grouped
from codemod.judging.blame import outdated_blame
from codemod.judging.evidence.result import ProbePart, Result
from codemod.judging.evidence.result_files import PROBE_FOLDER, DamagedResultError, read_result
from codemod.judging.rounding.rounding import outjudged
from codemod.judging.verdict import Verdict, ended_from_outside
from codemod.training.launch import slug
from codemod.training.runner import STATIC_MODES, recorder_version


def folder_of(workspace: Workspace, kit: str) -> Path:
    """Where a kit's results lie."""
    return workspace.root / PROBE_FOLDER / kit


def path_of(workspace: Workspace, kit: str, config: str, paddle: str) -> Path:
    """The file of one config's result under one Paddle."""
    return folder_of(workspace, kit) / f"{slug(config)}-paddle{paddle}.json"


def kept_probe(path: Path, adapter: int, limit_s: float, memory_gb: float) -> Result | None:
    """The kept result of this adapter and today's recorder, if it stands.

    It does if today's judge would say so, and neither a kill nor a limit lower than now cut it.
    """
    if not path.is_file():
        return None
    try:
        result = read_result(path)
    except DamagedResultError:
        return None  # it is probed again, and the file replaced
    part = result.probe
    if part is None or part.adapter != adapter or result.recorder != recorder_version():
        return None
    ends = {result.dynamic.outcome, *(verdict.value for verdict in result.verdicts)}
    short = Verdict.TIMEOUT.value in ends and part.limit_s < limit_s
    # Results of before there was a limit had the whole machine.
    most = math.inf if part.memory_gb is None else part.memory_gb
    ended = any(ended_from_outside(mode.said) for mode in result.modes.values())
    small = Verdict.OOM.value in ends and most < memory_gb
    modes = result.modes.values()
    other = any(
        outjudged(one.rule, one.verdict, one.grad_max_rel, one.first) or outdated_blame(one.said)
        for one in modes
    )
    return None if short or small or ended or other else result


def summary(results: Iterable[Result]) -> list[dict[str, Any]]:
    """One row a kit and Paddle: models probed, built, ran; agreed and verdicts by mode.

    "agreed" counts every verdict that passes, partial captures and earned tolerances too.
    """
    probed = ((one, one.probe) for one in results if one.probe is not None)
    groups = grouped(((one.kit, one.paddle), (one, part)) for one, part in probed)
    return [_row(kit, paddle, group) for (kit, paddle), group in sorted(groups.items())]


def _row(kit: str, paddle: str, group: list[tuple[Result, ProbePart]]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "kit": kit,
        "paddle": paddle,
        "models": len(group),
        "configs": sum(len(result.configs) for result, _ in group),
        "built": sum(part.built for _, part in group),
        "ran": sum(result.dynamic.outcome == "ok" for result, _ in group),
        "seconds": round(sum(part.seconds for _, part in group)),
    }
    for mode in STATIC_MODES:
        found = [result.modes[mode].verdict for result, _ in group if mode in result.modes]
        counts = Counter(verdict.value for verdict in found)
        row[mode] = {
            "agreed": sum(verdict.passed for verdict in found),
            "verdicts": dict(counts.most_common()),
        }
    return row
