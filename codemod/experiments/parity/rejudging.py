"""Kept parity runs judged again from their records, as after an update of the judge."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from pathlib import Path

from codemod.base.files.workspace import Workspace
from codemod.base.git_state import head_revision, is_checkout
from codemod.base.reason import Reason, Refusal
from codemod.base.terminal.doing import doing
from codemod.experiments.parity import curves, kept
from codemod.experiments.parity.experiment import JudgedMode, controls, judge_case, waits_for_course
from codemod.experiments.parity.parity_job import publish
from codemod.judging.comparing.comparison import Comparison
from codemod.judging.evidence.measured import dynamic_result, mode_result
from codemod.judging.evidence.result import ModeResult, Result
from codemod.judging.evidence.result_files import PARITY_FOLDER, read_results
from codemod.judging.judge import wants_controls
from codemod.judging.ranks import comparisons
from codemod.judging.verdict import Explanation, Verdict, ended_from_outside
from codemod.training.environment.devices import processes_on
from codemod.training.record import Record, read_ranks
from codemod.training.runner import DYNAMIC, recorder_version

# Gives the record of a run, which ended as the second word says if not well; None without one.
_Records = Callable[[str, str], Record | None]
_NO_CONTROLS = "--no-controls"


@dataclass(frozen=True, slots=True)
class Changed:
    """A verdict that is another one now."""

    kit: str
    config: str
    paddle: str
    device: str
    mode: str
    before: Verdict
    after: Verdict


@dataclass(frozen=True, slots=True)
class Rerun:
    """An experiment that must be run again, why, and the command that does so."""

    kit: str
    config: str
    paddle: str
    device: str
    reason: Reason
    command: str


@dataclass(frozen=True, slots=True)
class Rejudged:
    """What became of a workspace's parity results; `judged` counts those that had their records.

    `damaged` maps the files that cannot be read to the reason.
    """

    judged: int
    changed: tuple[Changed, ...]
    again: tuple[Rerun, ...]
    damaged: dict[Path, str]


def rejudge_kept(place: Workspace, kit: str = "") -> Rejudged:
    """Judge the workspace's parity runs again, of one kit or of all, and keep what changed."""
    read = read_results(place.root / PARITY_FOLDER / kit)
    runs = [kept for kept in read.results if _was_run(kept.result)]
    changed: list[Changed] = []
    again: list[Rerun] = []
    for one in runs:
        before = one.result
        told = (before.kit, before.config, before.paddle, before.device or "")
        doing(f"Judging {before.config} again")
        checkout = place.kits() / before.kit
        same = is_checkout(checkout) and head_revision(checkout) == before.revision
        records = place.root / "runs" / before.kit / one.file.stem
        after = rejudge(before, records, checkout if same else None)
        if isinstance(after, Refusal):
            command = before.parity.command if before.parity is not None else ""
            again.append(Rerun(*told, after.reason, f"{command} --force".strip()))
            continue
        for mode, found in after.modes.items():
            was = before.modes[mode].verdict
            if found.verdict is not was:
                changed.append(Changed(*told, mode, was, found.verdict))
        if after != before:
            publish(one.file, after)
    return Rejudged(len(runs) - len(again), tuple(changed), tuple(again), read.damaged)


def _was_run(result: Result) -> bool:
    """Whether a result is of runs that came to their end."""
    return result.parity is not None and not result.interrupted and bool(result.dynamic.outcome)


def rejudge(result: Result, folder: Path, root: Path | None) -> Result | Refusal:
    """The result as it would be judged now, from the records in `folder`.

    `root` is the kit's checkout at the result's revision, None where there is none. What was
    measured stays, with its date. A Refusal says why the runs must be made again.
    """
    part = result.parity
    if part is None:
        return Refusal(Reason.of("experiments.probe"))
    if result.recorder != recorder_version():
        return Refusal(Reason.of("experiments.other-recorder"))
    if any(ended_from_outside(mode.said) for mode in result.modes.values()):
        return Refusal(Reason.of("experiments.ended-outside"))
    records = partial(_record, folder, processes_on(result.device)[0])
    dynamic = records(DYNAMIC, result.dynamic.outcome or "fails")
    if dynamic is None:
        return Refusal(Reason.of("experiments.records-gone"))
    found: dict[str, JudgedMode] = {}
    for mode, before in result.modes.items():
        case = _case(mode, before, dynamic, records)
        if case is None or _is_later(case, result.date):
            return Refusal(Reason.of("experiments.records-later"))
        missing = case.ulp is None and _NO_CONTROLS not in part.command
        if missing and any(map(wants_controls, comparisons(case))):
            return Refusal(Reason.of("experiments.controls-lacking"))
        found[mode] = judge_case(case)
        if waits_for_course(found[mode]) and _NO_CONTROLS not in part.command:
            return Refusal(Reason.of("experiments.controls-lacking"))
    shared = part.timings == "shared"
    modes = {m: mode_result(i.comparison, i.judgement, root, shared) for m, i in found.items()}
    modes = {
        m: replace(one, hazard=_placed(one, result.modes[m], root)) for m, one in modes.items()
    }
    repeat = next((item.comparison.repeat for item in found.values()), None)
    return replace(
        result,
        modes=modes,
        dynamic=dynamic_result(dynamic, repeat),
        parity=replace(
            part,
            gradients={mode: curves.gradients(item) for mode, item in found.items()},
            curves=curves.curves(found),
        ),
    )


def _record(folder: Path, ranks: int, name: str, failed: str) -> Record | None:
    """The record of a run of so many processes that trained together; see `_Records`."""
    file = folder / f"{name}.jsonl"
    outcome = "ok" if kept.ended_well(folder, name) else failed
    return read_ranks(file, ranks, outcome) if file.is_file() else None


def _placed(found: ModeResult, before: ModeResult, root: Path | None) -> Explanation | None:
    """The hazard, with the place that was known of it: the run's own tree may be gone by now."""
    same = found.hazard and before.hazard and found.hazard.id == before.hazard.id
    if root is None or (same and found.hazard and not found.hazard.file):
        return before.hazard
    return found.hazard


def _case(mode: str, before: ModeResult, dynamic: Record, records: _Records) -> Comparison | None:
    """The runs of a mode; None where the records of one are gone."""
    if dynamic.outcome != "ok" or not dynamic.steps:
        return Comparison(mode, dynamic, dynamic)
    failed = before.verdict.value if before.verdict.failed else ""
    static = records(mode, failed)
    if static is None or not static.outcome:
        return None
    made = {field: records(run.name, "fails") for field, run in controls(mode).items()}
    return Comparison(mode, dynamic, static, **made)


def _is_later(case: Comparison, date: str | None) -> bool:
    """Whether a run of the case began after the result was written."""
    if date is None:
        return True
    runs = [getattr(case, one.name) for one in fields(case) if one.name != "mode"]
    began = [float(run.start.get("time", 0.0)) for run in runs if run is not None]
    return max(began) > datetime.fromisoformat(date).timestamp() + 1
