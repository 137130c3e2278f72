"""Probes on the nodes of a cluster: each is a probe of one config there, its result comes back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

from codemod.base.changeset import Source
from codemod.base.files.workspace import Workspace
from codemod.experiments.probe.models import Model
from codemod.experiments.probe.request import ProbeOutcome, ProbeRequest
from codemod.judging.evidence.result import Result
from codemod.judging.evidence.result_files import from_content, to_content
from codemod.training.cluster import Archive, Cluster, settled


@dataclass(frozen=True, slots=True)
class Parcel:
    """What a node needs of a kit: its files, its name and revision, the adapter if it is not ours.

    `asked` is as the user asked, save for the configs. `python` of it must be there on each node.
    """

    kit: str
    revision: str | None
    files: Archive
    asked: ProbeRequest
    adapter: bytes | None

    @classmethod
    def of(cls, source: Source, kit: str, asked: ProbeRequest) -> Parcel:
        """Everything that the nodes need to probe this source."""
        adapter = asked.adapter.read_bytes() if asked.adapter is not None else None
        return cls(kit, source.revision, Archive.of(source.root), asked, adapter)


class ProbeKit(Protocol):
    """Probes a kit's models on the machine that it is called on; a module's function."""

    def __call__(
        self, source: Source, asked: ProbeRequest, workspace: Workspace, /
    ) -> ProbeOutcome:
        """The results of the models that were asked for."""


class RemoteProber:
    """Probes models on a cluster, one a call; calls may overlap."""

    def __init__(self, cluster: Cluster, parcel: Parcel, probe_kit: ProbeKit) -> None:
        self._cluster = cluster
        self._probe_kit = probe_kit
        self._parcel = cluster.share(parcel)
        self._memory_gb = parcel.asked.limits.memory_gb

    def probe(self, model: Model) -> Result:
        """The result of a probe on some node.

        Raises:
            WorkerLost: its node or worker went away each time.
        """
        content = self._cluster.call(
            _on_node,
            self._probe_kit,
            self._parcel,
            model.config,
            memory_gb=self._memory_gb,
            name=model.config,
        )
        result = from_content(content)
        # The node knows the one config alone, not those that build the same model.
        part = replace(result.probe, also=model.also) if result.probe else None
        return replace(result, probe=part)


def _on_node(probe_kit: ProbeKit, parcel: Parcel, config: str) -> dict[str, Any]:
    """Probe one config here, in a workspace of this worker's own."""
    source, place = settled(parcel.kit, parcel.revision, parcel.files)
    adapter = _adapter(parcel, place.root)
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
    outcome = probe_kit(source, asked, place)
    return to_content(outcome.results[0])


def _adapter(parcel: Parcel, work: Path) -> Path | None:
    if parcel.adapter is None:
        return None
    work.mkdir(exist_ok=True)
    path = work / "adapter.py"
    path.write_bytes(parcel.adapter)
    return path
