"""From a target to its probes: which are needed, run over some servers, results kept at once."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from codemod.base.changeset import Source
from codemod.base.errors import CodemodError
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import note
from codemod.code.tree import Tree
from codemod.experiments.probe.models import Listing, Model, list_models, new_first
from codemod.experiments.probe.probing import Probed, Prober
from codemod.experiments.probe.request import ProbeOutcome, ProbeRequest, processors
from codemod.experiments.probe.server import Ready, Servers, equipment_of
from codemod.judging.evidence import probe_results, result_files
from codemod.judging.evidence.base import told_families
from codemod.judging.evidence.result import ProbePart, Result
from codemod.kits.catalogue import find_kit
from codemod.kits.config_files import config_files, named_configs
from codemod.training.cluster import Cluster, Parcel, WorkerLost
from codemod.training.fanout import fan_out
from codemod.training.reads import edited, has_changed
from codemod.training.run_cost import foretold, timed
from codemod.training.runner import recorder_version

# Probes one model, here or on another machine: what running gives, as parts of a result or as one.
Probe = Callable[[Model], Probed | Result]
# Called with how many results there are by now, how many there will be, and the newest.
OnProbe = Callable[[int, int, Result], None]


def probe_kit(
    source: Source, asked: ProbeRequest, workspace: Workspace, told: OnProbe | None = None
) -> ProbeOutcome:
    """Probe a kit's models; `told(number, of, result)` is called after each.

    Raises UsageError for a kit without an adapter, or a config that names no model.
    """
    kit = source.name
    # Before an environment is made and Paddle imported: a name may be mistyped.
    named = named_configs(kit, Tree(source.root), asked.configs)
    equipment = equipment_of(kit, workspace, asked.paddle, asked.python, asked.adapter)
    base = probe_results.folder_of(workspace, kit)
    workspace.make(result_files.PROBE_FOLDER, kit)
    jobs = 1 if asked.cluster else asked.jobs or processors()
    with scratch_folder(base) as scratch, Servers(equipment, source.root, scratch, jobs) as servers:
        first = servers.all[0]
        ready = first.start()
        listing = list_models(first, _configs(source, kit, named, ready.configs))
        work = _Work(source, kit, ready, asked, workspace, told, first.watched)

        def here(model: Model) -> Probed:
            with servers.lent() as server:
                return Prober(server, asked.limits).probe(model)

        if asked.cluster is None:
            work.run(listing, here, jobs)
        else:
            first.stop()
            with Cluster(asked.cluster) as cluster:
                remote = _on_cluster(cluster, source, asked)
                work.run(listing, remote, asked.jobs or cluster.processors)
    return ProbeOutcome(tuple(work.done), listing.unread, work.fresh, work.lost)


def _on_cluster(cluster: Cluster, source: Source, asked: ProbeRequest) -> Probe:
    """Probes on some node each; calls may overlap, and raise WorkerLost."""
    parcel = cluster.share(Parcel.of(source, asked, asked.adapter))

    def probe(model: Model) -> Result:
        memory_gb = asked.limits.memory_gb
        content = cluster.call(
            _on_node, parcel, model.config, memory_gb=memory_gb, name=model.config
        )
        result = result_files.from_content(content)
        # The node knows the one config alone, not those that build the same model.
        part = replace(result.probe or ProbePart(), also=model.also)
        # Nor does its copy of the tree know the revision's.
        return replace(result, probe=part, edited=edited(part.reads, source.root))

    return probe


def _on_node(parcel: Parcel[ProbeRequest], config: str) -> dict[str, Any]:
    """Probe one config here, in a workspace of this worker's own."""
    source, place, adapter = parcel.settled("adapter.py")
    asked = replace(
        parcel.asked,
        configs=(config,),
        jobs=1,
        count=None,
        force=True,
        adapter=adapter,
        memory_gb=parcel.asked.limits.memory_gb,
        cluster=None,
    )
    return result_files.file_content(probe_kit(source, asked, place).results[0])


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


@dataclass
class _Work:
    """Which models are to be probed; what is found is kept as it comes."""

    source: Source
    kit: str
    ready: Ready
    asked: ProbeRequest
    workspace: Workspace
    told: OnProbe | None
    folders: dict[str, Path]
    done: list[Result] = field(default_factory=list)
    lost: dict[str, str] = field(default_factory=dict)
    fresh: int = 0

    def run(self, listing: Listing, probe: Probe, jobs: int) -> None:
        """Probe what is not known, `jobs` at a time: `done`, `fresh` and `lost` say what came.

        Raises:
            CodemodError: the first fault that ended a probe.
        """
        # Of the base, which no probe changes: a second command finds the same first models.
        told = told_families(self.kit, self.ready.paddle)
        models = new_first(listing.models, told)[: self.asked.count]
        known = [None if self.asked.force else self._known(model) for model in models]
        self.done += [result for result in known if result is not None]
        fresh = [model for model, result in zip(models, known, strict=True) if result is None]
        self.fresh = len(fresh)
        if fresh:
            each = f"{jobs} at a time" if jobs > 1 else "one after the other"
            told_time = foretold("probe", self.kit, len(fresh) / jobs)
            note(f"{len(fresh)} of {len(models)} models to probe, {each}; {told_time}.")

        def timed_probe(model: Model) -> Probed | Result:
            with timed("probe", self.kit):
                return probe(model)

        for model, found in fan_out(fresh, timed_probe, jobs):
            if isinstance(found, WorkerLost):
                self.lost[model.config] = str(found)
                continue
            result = found if isinstance(found, Result) else self._result(model, found)
            result_files.write_result(self._path(model), result)
            self.done.append(result)
            if self.told is not None:
                self.told(len(self.done), len(models), result)

    def _path(self, model: Model) -> Path:
        return probe_results.path_of(self.workspace, self.kit, model.config, self.ready.paddle)

    def _known(self, model: Model) -> Result | None:
        limits = self.asked.limits
        known = probe_results.kept_probe(
            self._path(model), self.ready.adapter, limits.seconds, limits.memory_gb
        )
        if known is None or known.probe is None or known.revision != self.source.revision:
            return None
        return None if has_changed(known.probe.reads, self.folders) else known

    def _result(self, model: Model, found: Probed) -> Result:
        return Result(
            kit=self.kit,
            config=model.config,
            paddle=self.ready.paddle,
            modes=found.modes,
            dynamic=found.dynamic,
            revision=self.source.revision,
            probe=replace(
                found.part,
                adapter=self.ready.adapter,
                note=self.ready.note,
                limit_s=self.asked.limits.seconds,
                memory_gb=self.asked.limits.memory_gb,
            ),
            date=result_files.now(),
            recorder=recorder_version(),
            edited=edited(found.part.reads, self.source.root),
        )
