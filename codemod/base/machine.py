"""How much memory this machine, or its container, has."""

from __future__ import annotations

import os
from pathlib import Path

# Where Linux says how much memory this control group may take, by version of control groups.
_GROUP_LIMITS = (
    Path("/sys/fs/cgroup/memory.max"),
    Path("/sys/fs/cgroup/memory/memory.limit_in_bytes"),
)


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
