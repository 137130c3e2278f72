"""Verdicts of a kit's configs from what was run: parity results first, then quick probes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from codemod.base.grouping import grouped
from codemod.base.json_form import plain
from codemod.base.reason import Reason
from codemod.base.terminal.text import shortened
from codemod.judging.evidence.base import FOLDER, read_base
from codemod.judging.evidence.result import FIGURES, RAN, ModeResult, Result, source_of
from codemod.judging.evidence.result_files import (
    PARITY_FOLDER,
    PROBE_FOLDER,
    KeptResult,
    read_results,
)
from codemod.judging.evidence.rows import losses_of, rows_of, without_folders
from codemod.judging.evidence.speed_rows import SpeedRow
from codemod.judging.evidence.speed_text import headline
from codemod.judging.verdict import Verdict
from codemod.reports.survey.cells import is_open
from codemod.reports.survey.grounds import Grounds, tree_fault
from codemod.reports.survey.rows import ConfigVerdict, Outlook
from codemod.training.environment.devices import is_of_several
from codemod.training.runner import DYNAMIC, STATIC_MODES

# The times of a run stand in its own page alone: here, rows of other machines are beside it.
_FIGURES = tuple(name for name in FIGURES if name not in ("compile_s", "step_ms"))
_Found = dict[tuple[str, str, str], ConfigVerdict]
_LONGEST = 240


@dataclass(frozen=True, slots=True)
class Tested:
    """Verdicts by config, what the configs' models were fed, and the results left out.

    `stale` counts the results of another revision, and the base's rows that are out of date;
    `damaged` maps the files that cannot be read to the reason.
    """

    verdicts: dict[str, tuple[ConfigVerdict, ...]]
    inputs: dict[str, str]
    stale: int
    damaged: dict[Path, str]


@dataclass(frozen=True, slots=True)
class _Run:
    """One result: its kind, its age, where it can be looked at, the configs it is good for."""

    result: Result
    measured: float
    where: str
    paths: tuple[str, ...]


def tested(kit: str, ground: Grounds, workspace: Path, paths: Iterable[str]) -> Tested:
    """What the base of evidence and the workspace's results say of the configs `paths` of a kit.

    A run that was broken off says nothing. Of runs of one kind the newest speaks, but several
    processes that could not train together say nothing of one alone, and a trainer that stops with
    the hook off hides no probe.
    """
    known = _Paths(paths)
    read = [read_results(workspace / folder / kit) for folder in (PROBE_FOLDER, PARITY_FOLDER)]
    kept = (one for results in read for one in results.results)
    told = [*_of_base(kit, ground, known), *_of_workspace(kept, ground, workspace, known)]
    found: _Found = {}
    inputs: dict[str, str] = {}
    # The better source comes last, and of one source the newest: it stays.
    for run in sorted(filter(None, told), key=_telling):
        inputs |= {path: text for path in run.paths if (text := _fed(run.result))}
        for verdict in _verdicts(run.result, run.where):
            for path in run.paths:
                key = (path, verdict.paddle, verdict.mode)
                if not _speaks_less(verdict, found.get(key), is_of_several(run.result.device)):
                    found[key] = verdict
    ordered = sorted(found.items(), key=lambda item: item[0])
    by_path = grouped((path, verdict) for (path, _, _), verdict in ordered)
    verdicts = {path: tuple(said) for path, said in by_path.items()}
    damaged = {file: why for results in read for file, why in results.damaged.items()}
    return Tested(verdicts, inputs, told.count(None), damaged)


def _telling(run: _Run) -> tuple[int, float]:
    """By what was trained, then by time: the most telling and newest run comes last."""
    return -RAN.index(source_of(run.result)), run.measured


def _of_base(kit: str, ground: Grounds, known: _Paths) -> Iterator[_Run | None]:
    """The rows of the base that are still good, and None for each that is out of date."""
    for row in read_base(kit).rows:
        own = known.find(row.config)
        if own and not ground.stands(row, own):
            yield None
        elif own:
            also = tuple(path for config in row.also if (path := known.find(config)))
            where = f"{FOLDER}/{kit}.jsonl: {row.config}"
            yield _Run(row.to_result(), _seconds(row.date), where, (own, *also))


def _seconds(date: str) -> float:
    try:
        return datetime.fromisoformat(date).timestamp()
    except ValueError:
        return 0.0


def _of_workspace(
    results: Iterable[KeptResult], ground: Grounds, workspace: Path, known: _Paths
) -> Iterator[_Run | None]:
    """The workspace's runs that came to an end, and None for each of other code."""
    for kept in results:
        result = kept.result
        if _is_stale(result, ground, known):
            yield None
        elif not result.interrupted:
            where = _page(kept.file, result).relative_to(workspace).as_posix()
            paths = tuple(path for config in result.configs if (path := known.find(config)))
            yield _Run(result, kept.measured, where, paths)


def _is_stale(result: Result, ground: Grounds, known: _Paths) -> bool:
    """Whether it is of another tree, or was measured with another hook or adapter."""
    if ground.revision and result.revision not in (None, ground.revision):
        return True
    if tree_fault(result, ground.hooks):
        return True
    own = known.find(result.config)
    return bool(own) and any(ground.tools_fault(row, own) for row in rows_of(result, "", None))


def _page(file: Path, result: Result) -> Path:
    """What a reader is led to: a parity run's page, else the file itself."""
    report = result.parity.report if result.parity else ""
    return file.with_name(report) if report.endswith(".html") else file


def _speaks_less(new: ConfigVerdict, old: ConfigVerdict | None, several: bool) -> bool:
    """A run that could not be made never hides one that was; `several` processes made the new one.

    What keeps several from training, such as the backend or a trainer that refuses it, is no fault
    of the model's, unlike a difference; nor is what stops the kit's trainer on made data where a
    probe of it runs.
    """
    if old is None:
        return False
    if several and not is_open(old.verdict):
        return not (isinstance(new.verdict, Verdict) and new.verdict.differs)
    if new.source != old.source and is_open(new.verdict) and not is_open(old.verdict):
        return True
    return new.verdict is Verdict.NOT_RUN and old.verdict is not Verdict.NOT_RUN


def _verdicts(result: Result, where: str) -> Iterator[ConfigVerdict]:
    for mode in STATIC_MODES:
        found = result.modes.get(mode)
        if found:
            figures = {
                name: plain(value)
                for name in _FIGURES
                if (value := getattr(found, name)) is not None
            }
            figures |= _told_of_run(result)
            figures |= {"hazard": found.hazard.id} if found.hazard else {}
            figures |= {"first": found.first.kind} if found.first else {}
            figures |= {"legs": ", ".join(found.bad_legs)} if found.bad_legs else {}
            reason = without_folders(found.reason)
            yield ConfigVerdict(
                mode,
                result.paddle,
                found.verdict,
                source_of(result),
                reason,
                where,
                figures,
                said=_public(found.said),
                losses=losses_of(result.parity, mode) if result.parity else {},
            )
    yield _dynamic(result, where)


def _told_of_run(result: Result) -> dict[str, str]:
    """When and where it was run, and the size of what a probe was fed, as far as it is kept."""
    size = result.probe.attempt.get("size") if result.probe else None
    shape = "×".join(map(str, size)) if isinstance(size, list) else str(size or "")
    told = {"size": shape, "device": result.device or "cpu", "date": (result.date or "")[:10]}
    return {name: value for name, value in told.items() if value}


def _dynamic(result: Result, where: str) -> ConfigVerdict:
    """Dynamic mode runs, or fails, or could not be run, which says nothing."""
    paddle, source = result.paddle, source_of(result)
    if result.dynamic.outcome == "ok":
        run = _told_of_run(result)
        return ConfigVerdict(DYNAMIC, paddle, Outlook.RUNS, source, "", where, dict(run))
    static = [result.modes[mode] for mode in STATIC_MODES if mode in result.modes]
    failed: list[ModeResult] = [
        mode for mode in static if mode.verdict in (Verdict.DYNAMIC_FAILS, Verdict.NONDETERMINISTIC)
    ]
    blamed = next(iter(failed or static), None)
    verdict = failed[0].verdict if failed else Verdict.NOT_RUN
    reason = (blamed.reason if blamed else "") or result.dynamic.reason
    told = without_folders(reason)
    said = _public(blamed.said) if blamed else ()
    return ConfigVerdict(
        DYNAMIC, paddle, verdict, source, told, where, dict(_told_of_run(result)), said=said
    )


def _public(said: tuple[Reason, ...]) -> tuple[Reason, ...]:
    return tuple(one.each_text(without_folders) for one in said)


class _Paths:
    """A config as a result names it: from the kit's root, or from the folder it is started in."""

    def __init__(self, paths: Iterable[str]) -> None:
        self._paths = frozenset(paths)

    def find(self, config: str) -> str:
        """The path from the kit's root, or nothing."""
        if config in self._paths:
            return config
        near = [path for path in self._paths if path.endswith(f"/{config.removeprefix('./')}")]
        return near[0] if len(near) == 1 else ""


def with_speed(tested: Tested, rows: Iterable[SpeedRow], revision: str | None) -> Tested:
    """What was found of configs, with the speed of those that were timed at this revision."""
    told = {
        (row.config, row.mode, row.paddle, row.device): headline(row)
        for row in rows
        if row.revision == revision and not row.options
    }

    def one(path: str, verdict: ConfigVerdict) -> ConfigVerdict:
        device = str(verdict.figures.get("device", "cpu"))
        return replace(verdict, speed=told.get((path, verdict.mode, verdict.paddle, device)))

    timed = {
        path: tuple(one(path, verdict) for verdict in verdicts)
        for path, verdicts in tested.verdicts.items()
    }
    return replace(tested, verdicts=timed)


def _fed(result: Result) -> str:
    """The first call of the hooked layer, such as `Tensor[4,3,64,64] float32`, or nothing.

    Static runs alone tell it: a dynamic run records the outermost layers, and a kit that calls
    `model.forward(...)` shows those inside.
    """
    static = [result.modes[mode] for mode in STATIC_MODES if mode in result.modes]
    forms = next((mode.inputs for mode in static if mode.inputs), None)
    if not forms:
        return ""
    first = forms[0]
    words = [_in_words(value) for value in first.get("args", ())]
    words += [f"{key}={_in_words(value)}" for key, value in (first.get("kwargs") or {}).items()]
    return shortened(", ".join(words), _LONGEST)


def _in_words(value: Any) -> str:
    """One argument of a call."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_in_words(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list) and value and isinstance(value[0], str):
        kind, *rest = value
        if kind == "tensor":
            return f"Tensor[{','.join(map(str, rest[0]))}] {rest[1]}"
        if kind in ("list", "tuple") and rest and isinstance(rest[0], list):
            return f"{kind}[{', '.join(_in_words(item) for item in rest[0])}]"
        return str(kind)
    if isinstance(value, list):
        return f"[{', '.join(_in_words(item) for item in value)}]"
    return str(value)
