"""Verdicts of a kit's configs from what was run: parity results first, then quick probes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from codemod.base.json_form import plain
from codemod.evidence.result_files import PARITY_FOLDER, PROBE_FOLDER, read_results
from codemod.judging.verdict import Verdict
from codemod.survey.fed import fed
from codemod.survey.rows import ConfigVerdict, Outlook
from codemod.training.runner import DYNAMIC, STATIC_MODES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from codemod.evidence.result import ModeResult, Result

_FIGURES = (
    "steps",
    "loss_max_abs",
    "loss_max_rel",
    "grad_max_rel",
    "noise_floor",
    "programs",
    "graph_breaks",
    "speedup",
)
_FOLDERS = re.compile(r"(?<![\w./:])/(?:[\w.@+-]+/)+")
_Found = dict[tuple[str, str, str], ConfigVerdict]


@dataclass(frozen=True, slots=True)
class Tested:
    """Verdicts by config, what the configs' models were fed, and the results left out.

    `stale` counts the results of another revision; `damaged` maps the files that cannot be read to
    the reason.
    """

    verdicts: dict[str, tuple[ConfigVerdict, ...]]
    inputs: dict[str, str]
    stale: int
    damaged: dict[Path, str]


def tested(kit: str, revision: str | None, workspace: Path, paths: Iterable[str]) -> Tested:
    """What the workspace's results say of the configs `paths` of a kit at a revision.

    A run that was broken off says nothing.
    """
    known = _Paths(paths)
    found: _Found = {}
    inputs: dict[str, str] = {}
    damaged: dict[Path, str] = {}
    stale = 0
    # The better source comes last, and of one source the newest: it stays.
    for folder in (PROBE_FOLDER, PARITY_FOLDER):
        read = read_results(workspace / folder / kit)
        damaged |= read.damaged
        for kept in sorted(read.results, key=lambda kept: kept.measured):
            result = kept.result
            if revision and result.revision not in (None, revision):
                stale += 1
                continue
            if result.interrupted:
                continue
            where = _page(kept.file, result).relative_to(workspace).as_posix()
            paths_of = [path for config in result.configs if (path := known.find(config))]
            inputs |= {path: text for path in paths_of if (text := fed(result))}
            for verdict in _verdicts(result, where):
                for path in paths_of:
                    key = (path, verdict.paddle, verdict.mode)
                    if not _speaks_less(verdict, found.get(key)):
                        found[key] = verdict
    by_path: dict[str, list[ConfigVerdict]] = {}
    for (path, _, _), verdict in sorted(found.items(), key=lambda item: item[0]):
        by_path.setdefault(path, []).append(verdict)
    verdicts = {path: tuple(said) for path, said in by_path.items()}
    return Tested(verdicts, inputs, stale, damaged)


def _page(file: Path, result: Result) -> Path:
    """What a reader is led to: a parity run's page, else the file itself."""
    report = result.parity.report if result.parity else ""
    return file.with_name(report) if report.endswith(".html") else file


def _speaks_less(new: ConfigVerdict, old: ConfigVerdict | None) -> bool:
    """A run that could not be made never hides one that was."""
    not_run = Verdict.NOT_RUN
    return old is not None and new.verdict is not_run and old.verdict is not not_run


def _verdicts(result: Result, where: str) -> Iterator[ConfigVerdict]:
    for mode in STATIC_MODES:
        found = result.modes.get(mode)
        if found:
            figures = {
                name: plain(value)
                for name in _FIGURES
                if (value := getattr(found, name)) is not None
            }
            figures |= {"device": result.device} if result.device else {}
            reason = _handed_on(found.reason)
            yield ConfigVerdict(
                mode, result.paddle, found.verdict, result.kind, reason, where, figures
            )
    yield _dynamic(result, where)


def _dynamic(result: Result, where: str) -> ConfigVerdict:
    """Dynamic mode runs, or fails, or could not be run, which says nothing."""
    paddle, source = result.paddle, result.kind
    if result.dynamic.outcome == "ok":
        return ConfigVerdict(DYNAMIC, paddle, Outlook.RUNS, source, "", where)
    static = [result.modes[mode] for mode in STATIC_MODES if mode in result.modes]
    failed: list[ModeResult] = [
        mode for mode in static if mode.verdict in (Verdict.DYNAMIC_FAILS, Verdict.NONDETERMINISTIC)
    ]
    blamed = next(iter(failed or static), None)
    verdict = failed[0].verdict if failed else Verdict.NOT_RUN
    reason = (blamed.reason if blamed else "") or result.dynamic.reason
    return ConfigVerdict(DYNAMIC, paddle, verdict, source, _handed_on(reason), where)


def _handed_on(reason: str) -> str:
    """The reason without the folders of the machine that it was found on."""
    return _FOLDERS.sub("…/", reason)


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
