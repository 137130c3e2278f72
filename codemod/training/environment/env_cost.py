"""What an environment will take on this machine, by those that were made here before."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

from codemod.base.errors import EnvironmentFault
from codemod.base.files.shared_file import replace_file
from codemod.base.terminal.amounts import duration, size

_MADE = ".made"
# The largest of twenty environments that were made for the ten kits, and CUDA's libraries.
_CPU_B = 1.7e9
_GPU_B = 8e9


@dataclass(frozen=True, slots=True)
class TimedEnv:
    """What making one environment took: seconds, and bytes on the disk."""

    seconds: float
    size: int


def keep_cost(folder: Path, seconds: float) -> None:
    """Keep what making the environment in `folder` took, for the next one's estimate."""
    made = TimedEnv(round(seconds, 1), _size(folder))
    replace_file(folder / _MADE, json.dumps(asdict(made)).encode())


def expected_bytes(root: Path, gpu: bool) -> float:
    """How much room an environment will take on the disk."""
    return max((made.size for made in _earlier(root, gpu)), default=_GPU_B if gpu else _CPU_B)


def expected_seconds(root: Path, gpu: bool) -> float | None:
    """How long making one will take, by the median of those made here; None without any."""
    seconds = [made.seconds for made in _earlier(root, gpu)]
    return median(seconds) if seconds else None


def estimate(root: Path, gpu: bool, number: int = 1) -> str:
    """Room and time of so many environments, in words."""
    room = f"about {size(expected_bytes(root, gpu) * number)} on the disk in {root}"
    seconds = expected_seconds(root, gpu)
    if seconds is None:
        return f"{room}; none was timed on this machine yet, elsewhere one took 3 to 12 min"
    return f"{room}, about {duration(seconds * number)} by the last"


def need_room(root: Path, gpu: bool, number: int = 1) -> None:
    """Refuse to begin where the disk cannot hold so many more environments.

    Raises:
        EnvironmentFault: says what is free, what is needed, and where.
    """
    place = next(folder for folder in (root, *root.parents) if folder.exists())
    free, need = shutil.disk_usage(place).free, expected_bytes(root, gpu) * number
    if free < need:
        raise EnvironmentFault(
            f"{number} environment{'s' * (number != 1)} with Paddle "
            f"need{'s' * (number == 1)} about {size(need)}, and {place} has {size(free)} free.",
            "Free some, or name another disk's folder in XDG_CACHE_HOME.",
        )


def _earlier(root: Path, gpu: bool) -> Sequence[TimedEnv]:
    found = []
    for file in root.glob(f"*/{_MADE}"):
        if ("-gpu-" in file.parent.name) is not gpu:
            continue
        try:
            found.append(TimedEnv(**json.loads(file.read_text())))
        except (OSError, ValueError, TypeError):
            continue  # a note of an interrupted run: the others tell enough
    return found


def _size(folder: Path) -> int:
    """Bytes below a folder; what several environments share is counted for each."""
    whole = 0
    for top, _folders, files in os.walk(folder):
        whole += sum((Path(top) / name).lstat().st_size for name in files)
    return whole
