"""From a target to its probes: which are needed, run over some servers, results kept at once."""

from __future__ import annotations

import contextlib
import fnmatch
import os
import queue
import shutil
import threading
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

from codemod.base.errors import CodemodError, UsageError
from codemod.code.tree import Tree
from codemod.evidence import probe_results
from codemod.evidence.result import Result
from codemod.evidence.result_files import PROBE_FOLDER, now, write_result
from codemod.kits.catalogue import find_kit
from codemod.kits.config_files import config_files
from codemod.probe.equipment import equipment_of
from codemod.probe.limits import Limits, fair_memory_gb
from codemod.probe.models import Listing, Model, list_models
from codemod.probe.probing import Probed, Prober
from codemod.training.runner import recorder_checksum

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from codemod.base.changeset import Source
    from codemod.base.workspace import Workspace
    from codemod.probe.server import Ready, Server


class OnProbe(Protocol):
    """Called with each result as it comes."""

    def __call__(self, number: int, of: int, result: Result, /) -> None:
        """How many results there are by now, how many there will be, the newest."""


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """What the user asked for. `configs` may be globs; none means all. `limit_s` is CPU seconds.

    `memory_gb` is what one run may take, None for a fair share of the machine.
    """

    configs: tuple[str, ...] = ()
    paddle: str | None = None
    jobs: int = 1
    limit_s: float = 120.0
    count: int | None = None
    force: bool = False
    python: Path | None = None
    adapter: Path | None = None
    memory_gb: float | None = None

    @property
    def limits(self) -> Limits:
        """What one run may take."""
        memory = fair_memory_gb(self.jobs) if self.memory_gb is None else self.memory_gb
        return Limits(self.limit_s, memory)


@dataclass(frozen=True, slots=True)
class ProbeOutcome:
    """All results that were asked for, and the configs that could not be read."""

    results: tuple[Result, ...]
    unread: dict[str, str]
    fresh: int


def probe_kit(
    source: Source,
    asked: ProbeRequest,
    workspace: Workspace,
    told: OnProbe | None = None,
) -> ProbeOutcome:
    """Probe a kit's models; `told(number, of, result)` is called after each.

    Raises UsageError for a kit without an adapter, or a config that names no model.
    """
    kit = source.kit or source.root.name
    equipment = equipment_of(kit, workspace, asked.paddle, asked.python, asked.adapter)
    base = probe_results.folder_of(workspace, kit)
    workspace.make(PROBE_FOLDER, kit)
    with scratch_folder(base) as scratch:

        def serve(log: str) -> Server:
            return equipment.server(source.root, scratch / log)

        with serve("0.log") as server:
            ready = server.start()
            configs = _configs(source, kit, asked.configs, ready.configs)
            listing = list_models(server, configs, scratch)
            work = _Work(source, kit, ready, asked, workspace, scratch, serve, told)
            results, fresh = work.run(listing, server)
    return ProbeOutcome(tuple(results), listing.unread, fresh)


@contextlib.contextmanager
def scratch_folder(base: Path) -> Iterator[Path]:
    """A folder of this run's own; an error of ours keeps it, for its message names a log there."""
    folder = base / f".run-{os.getpid()}"
    try:
        yield folder
    except CodemodError:
        raise
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(folder, ignore_errors=True)


def _configs(source: Source, kit: str, wanted: tuple[str, ...], own: tuple[str, ...]) -> list[str]:
    """The kit's config files, or those that the user, else the adapter, names by path or glob."""
    tree = Tree(source.root)
    wanted = wanted or own
    if not wanted:
        return config_files(find_kit(kit), tree)
    paths = tree.paths()
    chosen: list[str] = []
    for pattern in wanted:
        found = [path for path in paths if fnmatch.fnmatch(path, pattern)]
        if not found:
            raise UsageError(f"{kit} has no config {pattern}.", f"Looked in {source.root}.")
        chosen.extend(found)
    return list(dict.fromkeys(chosen))


class _Work:
    """Hands models to the threads, each of which has a server of its own."""

    def __init__(
        self,
        source: Source,
        kit: str,
        ready: Ready,
        asked: ProbeRequest,
        workspace: Workspace,
        scratch: Path,
        serve: Callable[[str], Server],
        told: OnProbe | None,
    ) -> None:
        self._source, self._kit, self._ready, self._server = source, kit, ready, serve
        self._asked, self._workspace, self._scratch, self._told = asked, workspace, scratch, told
        self._limits = asked.limits
        self._queue: queue.SimpleQueue[Model] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._done: list[Result] = []
        self._faults: list[BaseException] = []
        self._total = self._whole = 0

    def run(self, listing: Listing, first: Server) -> tuple[list[Result], int]:
        """All results, the known ones first, and how many are new; `first` is used and kept."""
        models = listing.models[: self._asked.count]
        self._whole = len(models)
        for model in models:
            known = None if self._asked.force else self._known(model)
            if known is None:
                self._queue.put(model)
                self._total += 1
            else:
                self._done.append(known)
        threads = [
            threading.Thread(target=self._serve, args=(number, first), daemon=True)
            for number in range(min(self._asked.jobs, self._total))
        ]
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.5)
        finally:
            self._stop.set()
        if self._faults:
            raise self._faults[0]
        return self._done, self._total

    def _path(self, model: Model) -> Path:
        return probe_results.path_of(self._workspace, self._kit, model.config, self._ready.paddle)

    def _known(self, model: Model) -> Result | None:
        path, revision = self._path(model), self._source.revision
        limits = self._limits
        return probe_results.known(
            path, revision, self._ready.adapter, limits.seconds, limits.memory_gb
        )

    def _serve(self, number: int, first: Server) -> None:
        try:
            if number == 0:
                self._probe_all(Prober(first, self._scratch / "0", self._limits))
                return
            with self._server(f"{number}.log") as server:
                self._probe_all(Prober(server, self._scratch / str(number), self._limits))
        except BaseException as error:  # told by the main thread
            if not self._stop.is_set():
                self._faults.append(error)
            self._stop.set()

    def _probe_all(self, prober: Prober) -> None:
        while not self._stop.is_set():
            try:
                model = self._queue.get_nowait()
            except queue.Empty:
                return
            found = prober.probe(model)
            # What was running when we were told to stop may have been ended by that.
            if not self._stop.is_set():
                self._keep(model, found)

    def _keep(self, model: Model, found: Probed) -> None:
        result = Result(
            kit=self._kit,
            config=model.config,
            paddle=self._ready.paddle,
            modes=found.modes,
            dynamic=found.dynamic,
            revision=self._source.revision,
            probe=replace(
                found.part,
                adapter=self._ready.adapter,
                note=self._ready.note,
                limit_s=self._limits.seconds,
                memory_gb=self._limits.memory_gb,
            ),
            date=now(),
            recorder=recorder_checksum(),
        )
        write_result(self._path(model), result)
        with self._lock:
            self._done.append(result)
            if self._told is not None:
                self._told(len(self._done), self._whole, result)
