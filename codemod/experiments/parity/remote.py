"""Parity runs on the nodes of a cluster: each trains one config there, its result comes back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from codemod.base.changeset import Source
from codemod.experiments.parity import parity_job
from codemod.judging.evidence.result import Result
from codemod.judging.evidence.result_files import from_content, to_content
from codemod.training.cluster import Archive, Cluster, settled
from codemod.training.preparation import prepare
from codemod.training.run_spec import RunSpec
from codemod.training.runner import recorder_version

# What a kit's training may take of a node's memory, with Paddle and its samples.
NODE_GB = 4.0


@dataclass(frozen=True, slots=True)
class ParityParcel:
    """What a node needs to train a kit: its files, name and revision, and a recipe of the user's.

    `spec` is as the user asked, save for the config. `python` of it must be there on each node.
    """

    kit: str
    revision: str | None
    files: Archive
    spec: RunSpec
    launch: bytes | None

    @classmethod
    def of(cls, source: Source, spec: RunSpec) -> ParityParcel:
        """Everything that the nodes need to train this source's configs."""
        launch = spec.launch.read_bytes() if spec.launch is not None else None
        kit = source.kit or source.root.name
        return cls(kit, source.revision, Archive.of(source.root), spec, launch)


class RemoteParity:
    """Runs experiments on a cluster, one a call; calls may overlap."""

    def __init__(self, cluster: Cluster, source: Source, spec: RunSpec) -> None:
        self._cluster = cluster
        self._source = source
        self._spec = spec
        self._parcel = cluster.share(ParityParcel.of(source, spec))

    @property
    def processors(self) -> int:
        """How many processors one experiment takes."""
        return self._spec.jobs * self._spec.ranks

    @property
    def jobs(self) -> int:
        """How many experiments the cluster has processors for at the same time."""
        return max(1, self._cluster.processors // self.processors)

    def run(self, config: str) -> tuple[str, Result]:
        """The name of the result's file, without ending, and what some node found.

        The records stay on the node; command and changed files are those of this machine.

        Raises:
            WorkerLost: its node or worker went away each time.
        """
        name, content = self._cluster.call(
            _on_node,
            self._parcel,
            config,
            memory_gb=NODE_GB * self.processors,
            name=config,
            processors=self.processors,
        )
        result = from_content(content)
        if result.parity is not None:
            part = replace(
                result.parity,
                command=replace(self._spec, config=config).command(result.paddle),
                records="",
                **parity_job.changes(self._source.root),
            )
            # A node of another version of ours would have been refused.
            result = replace(result, parity=part, recorder=recorder_version())
        return name, result


def _on_node(parcel: ParityParcel, config: str) -> tuple[str, dict[str, Any]]:
    """Train one config here, in a workspace of this worker's own."""
    source, place = settled(parcel.kit, parcel.revision, parcel.files)
    launch = None
    if parcel.launch is not None:
        launch = place.root / "launch.yaml"
        launch.parent.mkdir(parents=True, exist_ok=True)
        launch.write_bytes(parcel.launch)
    spec = replace(parcel.spec, config=config, path=None, launch=launch, fresh=True)
    ready = prepare(spec, source, place)
    return ready.identity.name, to_content(parity_job.run(ready, place))
