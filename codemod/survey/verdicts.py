"""Verdicts of a kit's configs from what was run: parity results first, then quick probes."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from codemod.evidence.results import read_results
from codemod.survey.fed import fed
from codemod.survey.rows import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

STATIC = ("ast", "sot")
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
_Found = dict[tuple[str, str, str], Verdict]


@dataclass(frozen=True, slots=True)
class Tested:
    """Verdicts by config, what the configs' models were fed, and the results left out.

    `stale` counts the results of another revision.
    """

    verdicts: dict[str, tuple[Verdict, ...]]
    inputs: dict[str, str]
    stale: int


def tested(kit: str, revision: str | None, workspace: Path, paths: Iterable[str]) -> Tested:
    """What the workspace's results say of the configs `paths` of a kit at a revision.

    A run that was broken off says nothing.
    """
    known = _Paths(paths)
    found: _Found = {}
    inputs: dict[str, str] = {}
    stale = 0
    # The better source comes last, and of one source the newest: it stays.
    for source, folder in (("probe", "probes"), ("parity", "results")):
        for file, content in sorted(
            read_results(workspace / folder / kit), key=lambda pair: pair[0].stat().st_mtime
        ):
            if revision and content.get("revision") not in (None, revision):
                stale += 1
                continue
            if content.get("interrupted"):
                continue
            where = file.relative_to(workspace).as_posix()
            paths_of = [known.find(c) for c in (content["config"], *content.get("also", ()))]
            inputs |= {path: text for path in paths_of if path and (text := fed(content))}
            for verdict in _verdicts(content, source, where):
                for path in filter(None, paths_of):
                    key = (path, verdict.paddle, verdict.mode)
                    if not _speaks_less(verdict, found.get(key)):
                        found[key] = verdict
    by_path: dict[str, list[Verdict]] = {}
    for (path, _, _), verdict in sorted(found.items()):
        by_path.setdefault(path, []).append(verdict)
    return Tested({path: tuple(said) for path, said in by_path.items()}, inputs, stale)


def _speaks_less(new: Verdict, old: Verdict | None) -> bool:
    """A run that could not be made never hides one that was."""
    return old is not None and new.verdict == "not-run" and old.verdict != "not-run"


def _verdicts(content: dict[str, Any], source: str, where: str) -> Iterator[Verdict]:
    paddle = str(content["paddle"])
    page = str(content.get("report") or "")
    if page.endswith(".html"):
        where = f"{where.rpartition('/')[0]}/{page}"
    modes: dict[str, Any] = content["modes"]
    for mode in STATIC:
        fields = modes.get(mode)
        if fields:
            figures = {k: fields[k] for k in _FIGURES if fields.get(k) is not None}
            figures |= {"device": content["device"]} if content.get("device") else {}
            reason = _handed_on(str(fields.get("reason") or ""))
            yield Verdict(mode, paddle, fields["verdict"], source, reason, where, figures)
    dynamic = modes.get("dynamic") or content.get("dynamic") or {}
    yield _dynamic(dynamic, modes, paddle, source, where)


def _dynamic(
    fields: dict[str, Any], modes: dict[str, Any], paddle: str, source: str, where: str
) -> Verdict:
    """Dynamic mode runs, or fails, or could not be run, which says nothing."""
    static = [modes[mode] for mode in STATIC if mode in modes]
    if fields.get("outcome") == "ok":
        return Verdict("dynamic", paddle, "runs", source, "", where)
    failed = [f for f in static if f["verdict"] in ("dynamic-fails", "nondeterministic")]
    blamed = (failed or static or [{}])[0]
    verdict = failed[0]["verdict"] if failed else "not-run"
    reason = _handed_on(str(blamed.get("reason") or fields.get("reason") or ""))
    return Verdict("dynamic", paddle, verdict, source, reason, where)


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
