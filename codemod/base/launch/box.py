"""What a boxed process may do: its limits, the folders that it may write in, its variables."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

# The variables of the user's that a kit's process sees. All others may hold secrets.
_KEPT = frozenset(
    (
        "PATH",
        "LANG",
        "LANGUAGE",
        "TZ",
        "TERM",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "CUDA_HOME",
        "CUDA_PATH",
        "CUDA_VISIBLE_DEVICES",
        "NVIDIA_VISIBLE_DEVICES",
        "NVIDIA_DRIVER_CAPABILITIES",
        "SYSTEMROOT",
    )
)
_KEPT_BEGINNINGS = ("LC_", "FLAGS_", "OMP_", "MKL_", "NCCL_", "GLOO_")
# Folders of its own that a process is told, below the box's home.
TEMPORARY = "tmp"
# Where the box lays what it writes over the folders that it may not change.
_LAYER = "layer"


@dataclass(frozen=True, slots=True)
class Bounds:
    """What all processes of a box may take together; 0 is no limit.

    `wall_s` is seconds on the clock, `memory_mb` resident memory (a limit on addresses would break
    Paddle's reservations), `file_mb` the size of one file, `log_mb` that of what is printed.
    `cpu_s` holds for each process by itself.
    """

    wall_s: float = 0
    cpu_s: float = 0
    memory_mb: float = 0
    processes: int = 0
    file_mb: float = 0
    log_mb: float = 0


@dataclass(frozen=True, slots=True)
class Box:
    """How a kit's process is held.

    `home` is a folder of the run's own: its `HOME`, and its `TMPDIR` below that. With `contained`,
    and where the system offers it, there is no network but loopback, and nothing can be written
    but below `home` and `writes`; what is written below `covered` is seen by the box alone, and is
    gone after it.
    """

    home: Path
    bounds: Bounds = field(default_factory=Bounds)
    contained: bool = False
    writes: tuple[Path, ...] = ()
    covered: tuple[Path, ...] = ()

    def request(self) -> dict[str, Any]:
        """What the supervisor is told of it."""
        writes = [os.path.realpath(folder) for folder in (self.home, *self.writes)]
        covered = [os.path.realpath(folder) for folder in self.covered]
        return {
            "bounds": asdict(self.bounds),
            "contained": self.contained,
            "writes": writes,
            "covered": covered,
            "scratch": os.path.realpath(self.home),
        }


def kept_variables(given: Mapping[str, str]) -> dict[str, str]:
    """Those of `given` that a kit's process may see."""
    return {
        name: text
        for name, text in given.items()
        if name in _KEPT or name.startswith(_KEPT_BEGINNINGS)
    }


def own_folders(home: Path) -> dict[str, str]:
    """Variables that lead whatever is kept for a user below `home`, which is made."""
    temporary = home / TEMPORARY
    temporary.mkdir(parents=True, exist_ok=True)
    (home / _LAYER).mkdir(exist_ok=True)
    own = os.path.realpath(home)
    shown = {"HOME": own, "XDG_CACHE_HOME": f"{own}/.cache", "XDG_CONFIG_HOME": f"{own}/.config"}
    return {**shown, "TMPDIR": os.path.realpath(temporary)}
