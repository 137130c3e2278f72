"""What a user asks of probes, and what they give."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from pathlib import Path

from codemod.base.machine import machine_gb
from codemod.judging.evidence.result import Result

# What a probe on a cluster may take beyond the kit's own import, unless the user says.
NODE_GB = 4.0


@dataclass(frozen=True, slots=True)
class ProbeRequest:
    """What the user asked for. `configs` may be globs; none means all. `limit_s` is CPU seconds.

    `memory_gb` is what one run may take, None for a fair share of the machine. `cluster` is where
    Ray listens, or `local`; None is this process. `jobs` None is as many as there are processors.
    """

    configs: tuple[str, ...] = ()
    paddle: str | None = None
    jobs: int | None = 1
    limit_s: float = 120.0
    count: int | None = None
    force: bool = False
    python: Path | None = None
    adapter: Path | None = None
    memory_gb: float | None = None
    cluster: str | None = None

    @property
    def limits(self) -> Limits:
        """What one run may take."""
        if self.memory_gb is not None:
            return Limits(self.limit_s, self.memory_gb)
        shared = NODE_GB if self.cluster else fair_memory_gb(self.jobs or processors())
        return Limits(self.limit_s, shared)


@dataclass(frozen=True, slots=True)
class ProbeOutcome:
    """All results that were asked for, the configs that could not be read, and those lost.

    A config is lost where a cluster gave no result for it; both are with their reason.
    """

    results: tuple[Result, ...]
    unread: dict[str, str]
    fresh: int
    lost: dict[str, str] = field(default_factory=dict)


# The rest is for the servers, which hold Paddle and the kit, and for whatever else runs.
SHARE = 0.8


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one run: `seconds` of processor time, `memory_gb` beyond the kit's own import."""

    seconds: float
    memory_gb: float


def fair_memory_gb(jobs: int) -> float:
    """What each of several runs at the same time may use so that all of them fit."""
    return SHARE * machine_gb() / jobs


def processors() -> int:
    """Processors of this machine."""
    return os.cpu_count() or 1
