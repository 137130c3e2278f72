"""Parity runs on the nodes of a cluster: each trains one config there, its result comes back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from codemod.base.changeset import Source
from codemod.experiments.parity import parity_job
from codemod.judging.evidence.result import Result
from codemod.judging.evidence.result_files import file_content, from_content
from codemod.training.cluster import Cluster, Parcel
from codemod.training.preparation import prepare
from codemod.training.reads import edited
from codemod.training.run_spec import RunSpec

# What a kit's training may take of a node's memory, with Paddle and its samples.
NODE_GB = 4.0


class RemoteParity:
    """Runs experiments on a cluster, one a call; calls may overlap."""

    def __init__(self, cluster: Cluster, source: Source, spec: RunSpec) -> None:
        self._cluster = cluster
        self._source = source
        self._spec = spec
        self._parcel = cluster.share(Parcel.of(source, spec, spec.launch))

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
            changed, hooked = parity_job.changed_files(self._source.root)
            part = replace(
                result.parity,
                command=replace(self._spec, config=config).command(result.paddle),
                records="",
                changed=changed,
                hooked=hooked,
            )
            # The node's copy of the tree does not know the revision's.
            result = replace(result, parity=part, edited=edited(part.reads, self._source.root))
        return name, result


def _on_node(parcel: Parcel[RunSpec], config: str) -> tuple[str, dict[str, Any]]:
    """Train one config here, in a workspace of this worker's own."""
    source, place, launch = parcel.settled("launch.yaml")
    spec = replace(parcel.asked, config=config, path=None, launch=launch, fresh=True)
    ready = prepare(spec, source, place)
    return ready.identity.name, file_content(parity_job.run(ready, place))
