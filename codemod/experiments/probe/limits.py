"""What one run of a probe may take: processor time and memory."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

# The rest is for the servers, which hold Paddle and the kit, and for whatever else runs.
SHARE = 0.8
# Where Linux says how much memory this control group may take, by version of control groups.
_GROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one run: `seconds` of processor time, `memory_gb` beyond the kit's own import."""

    seconds: float
    memory_gb: float


def machine_gb() -> float:
    """Memory of this machine, or of this container where that is less, in GB of 2**30 bytes."""
    found = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    for file in _GROUP_LIMITS:
        try:
            text = file.read_text(encoding="ascii").strip()
        except OSError:
            continue
        if text.isdigit():
            found = min(found, int(text))
    return found / 2**30


def fair_memory_gb(jobs: int) -> float:
    """What each of several runs at the same time may use so that all of them fit."""
    return SHARE * machine_gb() / jobs


def processors() -> int:
    """Processors of this machine."""
    return os.cpu_count() or 1
