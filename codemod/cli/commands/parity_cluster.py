"""`codemod parity --cluster`: several configs trained on the nodes of a cluster."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from codemod.base.changeset import Source
from codemod.base.errors import UsageError, stoppable
from codemod.base.terminal.progress import LiveLine
from codemod.cli.queue_state import QueueState
from codemod.experiments.parity import parity_job
from codemod.experiments.parity.remote import RemoteParity
from codemod.training.cluster import Cluster, WorkerLost
from codemod.training.fanout import fan_out
from codemod.work.comparing import Compared

if TYPE_CHECKING:
    from codemod.base.files.workspace import Workspace
    from codemod.judging.evidence.result import Result
    from codemod.training.preparation import Prepared


def run_on_cluster(
    address: str, missing: Sequence[Prepared], source: Source, place: Workspace
) -> Compared:
    """Train each config on some node, and keep each result as it comes.

    Raises:
        UsageError: a device other than the CPU is asked for.
        Stopped: Ctrl-C; what has come is kept.
    """
    wanted = [ready.spec for ready in missing]
    if wanted[0].device not in ("auto", "cpu"):
        raise UsageError("--cluster trains on CPUs.", "Leave --device out, or pass --device cpu.")
    first = replace(wanted[0], device="cpu")
    done: list[tuple[Path, Result]] = []
    lost: dict[str, str] = {}

    def kept() -> str:
        return (
            f"{len(done)} of {len(wanted)} results are kept in {place.root}, and the same command "
            "(without --force) goes on with the rest."
        )

    with stoppable(kept), Cluster(address) as cluster:
        remote = RemoteParity(cluster, source, first)
        state = QueueState(remote.jobs)
        configs = [asked.config for asked in wanted]
        with LiveLine("Training on the cluster", state.text):
            for config, answer in fan_out(configs, remote.run, remote.jobs):
                if isinstance(answer, WorkerLost):
                    lost[config] = str(answer)
                    continue
                name, found = answer
                file = parity_job.named_file(found.kit, name, place)
                result = parity_job.keep(file, found, place)
                done.append((file, result))
                state.add(len(done), len(wanted), result)
    return Compared(tuple(done), lost)
