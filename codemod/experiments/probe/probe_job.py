"""From a target to its probes: which are needed, run over some servers, results kept at once."""

from __future__ import annotations

import contextlib
import os
import queue
import shutil
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Protocol

from codemod.base.changeset import Source
from codemod.base.errors import CodemodError
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import note
from codemod.code.tree import Tree
from codemod.experiments.probe.equipment import equipment_of
from codemod.experiments.probe.models import Listing, Model, list_models, new_first
from codemod.experiments.probe.probing import Probed, Prober
from codemod.experiments.probe.remote import Parcel, RemoteProber
from codemod.experiments.probe.request import Limits, ProbeOutcome, ProbeRequest, processors
from codemod.experiments.probe.server import Ready, Server
from codemod.judging.evidence import probe_results
from codemod.judging.evidence.base import told_families
from codemod.judging.evidence.result import Result
from codemod.judging.evidence.result_files import PROBE_FOLDER, now, write_result
from codemod.kits.catalogue import find_kit
from codemod.kits.config_files import config_files, named_configs
from codemod.training.cluster import Cluster, WorkerLost
from codemod.training.run_cost import foretold, timed
from codemod.training.runner import recorder_version


class Probe(Protocol):
    """Probes one model, here or on another machine."""

    def __call__(self, model: Model, /) -> Probed | Result:
        """What running gives, as parts of a result or as one."""


class Probers(Protocol):
    """Makes what the thread of that number probes with."""

    def __call__(self, number: int, /) -> contextlib.AbstractContextManager[Probe]:
        """A prober for as long as the context lasts."""


class OnProbe(Protocol):
    """Called with each result as it comes."""

    def __call__(self, number: int, of: int, result: Result, /) -> None:
        """How many results there are by now, how many there will be, the newest."""


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
    # Before an environment is made and Paddle imported: a name may be mistyped.
    named = named_configs(kit, Tree(source.root), asked.configs)
    equipment = equipment_of(kit, workspace, asked.paddle, asked.python, asked.adapter)
    base = probe_results.folder_of(workspace, kit)
    workspace.make(PROBE_FOLDER, kit)
    with scratch_folder(base) as scratch:

        def serve(log: str) -> Server:
            return equipment.server(source.root, scratch / log)

        with serve("0.log") as server:
            ready = server.start()
            configs = _configs(source, kit, named, ready.configs)
            listing = list_models(server, configs)
            work = _Work(source, kit, ready, asked, workspace, told)
            if asked.cluster is None:
                probers = _here(server, serve, asked.limits)
                work.run(listing, probers, asked.jobs or processors())
            else:
                server.stop()
                with Cluster(asked.cluster) as cluster:
                    remote = RemoteProber(cluster, Parcel.of(source, kit, asked), probe_kit)
                    probers = lambda _number: contextlib.nullcontext(remote.probe)  # noqa: E731
                    work.run(listing, probers, asked.jobs or cluster.processors)
    return ProbeOutcome(tuple(work.done), listing.unread, work.fresh, work.lost)


def _here(first: Server, serve: Callable[[str], Server], limits: Limits) -> Probers:
    """Probers on this machine, each with a server of its own; `first` is used and kept."""

    @contextlib.contextmanager
    def prober(number: int) -> Iterator[Probe]:
        if number == 0:
            yield Prober(first, limits).probe
            return
        with serve(f"{number}.log") as server:
            yield Prober(server, limits).probe

    return prober


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


def _configs(source: Source, kit: str, named: list[str], own: tuple[str, ...]) -> list[str]:
    """The configs that the user, else the adapter, names; else all that the kit has."""
    tree = Tree(source.root)
    if named or own:
        return named or named_configs(kit, tree, own)
    return config_files(find_kit(kit), tree)


class _Work:
    """Hands models to threads, each of which has a prober of its own, and keeps what they find."""

    def __init__(
        self,
        source: Source,
        kit: str,
        ready: Ready,
        asked: ProbeRequest,
        workspace: Workspace,
        told: OnProbe | None,
    ) -> None:
        self._source, self._kit, self._ready = source, kit, ready
        self._asked, self._workspace, self._told = asked, workspace, told
        self._limits = asked.limits
        self._queue: queue.SimpleQueue[Model] = queue.SimpleQueue()
        self._stop = threading.Event()
        self._lock = threading.Lock()
        self._faults: list[BaseException] = []
        self._whole = 0
        self.done: list[Result] = []
        self.lost: dict[str, str] = {}
        self.fresh = 0

    def run(self, listing: Listing, probers: Probers, jobs: int) -> None:
        """Probe what is not known, `jobs` at a time: `done`, `fresh` and `lost` say what came.

        Raises:
            CodemodError: the first fault that ended a prober.
        """
        # Of the base, which no probe changes: a second command finds the same first models.
        told = told_families(self._kit, self._ready.paddle)
        models = new_first(listing.models, told)[: self._asked.count]
        self._whole = len(models)
        for model in models:
            known = None if self._asked.force else self._known(model)
            if known is None:
                self._queue.put(model)
                self.fresh += 1
            else:
                self.done.append(known)
        if self.fresh:
            each = f"{jobs} at a time" if jobs > 1 else "one after the other"
            told_time = foretold("probe", self._kit, self.fresh / jobs)
            note(f"{self.fresh} of {self._whole} models to probe, {each}; {told_time}.")
        threads = [
            threading.Thread(target=self._work, args=(probers, number), daemon=True)
            for number in range(min(jobs, self.fresh))
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

    def _path(self, model: Model) -> Path:
        return probe_results.path_of(self._workspace, self._kit, model.config, self._ready.paddle)

    def _known(self, model: Model) -> Result | None:
        path, revision = self._path(model), self._source.revision
        limits = self._limits
        return probe_results.known(
            path, revision, self._ready.adapter, limits.seconds, limits.memory_gb
        )

    def _work(self, probers: Probers, number: int) -> None:
        try:
            with probers(number) as probe:
                self._probe_all(probe)
        except BaseException as error:  # told by the main thread
            if not self._stop.is_set():
                self._faults.append(error)
            self._stop.set()

    def _probe_all(self, probe: Probe) -> None:
        while not self._stop.is_set():
            try:
                model = self._queue.get_nowait()
            except queue.Empty:
                return
            try:
                with timed("probe", self._kit):
                    found = probe(model)
            except WorkerLost as fault:
                self.lost[model.config] = str(fault)
                continue
            # What was running when we were told to stop may have been ended by that.
            if not self._stop.is_set():
                self._keep(model, found)

    def _keep(self, model: Model, found: Probed | Result) -> None:
        result = found if isinstance(found, Result) else self._result(model, found)
        write_result(self._path(model), result)
        with self._lock:
            self.done.append(result)
            if self._told is not None:
                self._told(len(self.done), self._whole, result)

    def _result(self, model: Model, found: Probed) -> Result:
        return Result(
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
            recorder=recorder_version(),
        )
