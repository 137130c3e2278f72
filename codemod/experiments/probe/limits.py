"""What one run of a probe may take: processor time and memory."""

from __future__ import annotations

import os
from dataclasses import dataclass

from codemod.base.machine import machine_gb

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
