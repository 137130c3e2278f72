"""How much memory this machine, or its container, has, and whether it ran out."""

from __future__ import annotations

import os
from pathlib import Path

# Where Linux says how much memory this control group may take, by version of control groups.
_GROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)

_KERNEL_COUNTS = Path("/proc/vmstat")


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


def out_of_memory_kills() -> int:
    """How many processes Linux has ended for lack of memory since it started; 0 where it is silent.

    The file is that of proc(5), the count there since Linux 4.13; it is of the whole machine.
    """
    try:
        lines = _KERNEL_COUNTS.read_text(encoding="ascii").splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) for line in lines if line.startswith("oom_kill ")), 0)
