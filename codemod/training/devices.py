"""Which device a run uses, and whether the installed Paddle has kernels for it.

A build without kernels for a GPU's architecture fails late and oddly, so it is checked before.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from codemod.base.errors import EnvironmentFault, UsageError

if TYPE_CHECKING:
    from pathlib import Path

_DEVICE = re.compile(r"(auto|cpu|gpu(:\d+)?)\Z")

# What a build tells of itself: whether it has CUDA, its version, its own kernels' architectures.
_ASK = """
import json, paddle
archs = []
try:
    archs = [int(a) for a in paddle.version.cuda_archs()] if paddle.is_compiled_with_cuda() else []
except Exception:
    pass
print("PADDLE " + json.dumps({"version": paddle.__version__, "cuda": paddle.is_compiled_with_cuda(),
    "cuda_version": str(paddle.version.cuda()), "archs": archs}))
"""

# Builds of the package index do not name their architectures; these were read from the libraries.
# They hold machine code only (no PTX), so nothing newer can be compiled from it.
KNOWN_ARCHS = {"2.6.2": (61, 70, 75, 80, 86)}


@dataclass(frozen=True, slots=True)
class Build:
    """An installed Paddle: version, whether it is a CUDA build, its architectures as sm numbers."""

    version: str
    cuda: bool
    archs: tuple[int, ...]


@cache
def read_build(python: Path) -> Build:
    """Ask an environment's Paddle what it is. Raises EnvironmentFault where there is none."""
    done = subprocess.run([str(python), "-c", _ASK], capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.startswith("PADDLE ")]
    if done.returncode != 0 or not lines:
        why = (done.stderr.strip().splitlines() or ["no answer"])[-1]
        raise EnvironmentFault(
            f"Paddle cannot be imported by {python} ({why}).",
            "Make an environment with: codemod env KIT",
        )
    fields = json.loads(lines[-1][len("PADDLE ") :])
    archs = tuple(fields["archs"]) or KNOWN_ARCHS.get(fields["version"], ())
    return Build(str(fields["version"]), bool(fields["cuda"]), archs if fields["cuda"] else ())


def gpu_archs() -> list[int]:
    """The compute capabilities of this machine's GPUs as sm numbers (90 for an H100)."""
    smi = shutil.which("nvidia-smi")
    if smi is None:
        return []
    query = [smi, "--query-gpu=compute_cap", "--format=csv,noheader"]
    done = subprocess.run(query, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return []
    return [int(line.strip().replace(".", "")) for line in done.stdout.splitlines() if line.strip()]


def supports(build: Build, arch: int) -> bool:
    """Whether the build's machine code runs on `arch`: same generation, not newer than it.

    A build that does not tell its architectures is given the benefit of the doubt.
    """
    if not build.archs:
        return build.cuda
    return any(have // 10 == arch // 10 and have <= arch for have in build.archs)


def exists(asked: str, archs: list[int]) -> bool:
    """Whether there is a GPU that `asked` may mean; needs no Paddle, so it comes first.

    A device that nobody knows raises UsageError, a GPU that is not there EnvironmentFault.
    """
    if not _DEVICE.match(asked):
        raise UsageError(f"There is no device {asked!r}.", "Use auto, cpu, gpu or gpu:N.")
    if not asked.startswith("gpu"):
        return bool(archs) and asked == "auto"
    number = int(asked.partition(":")[2] or 0)
    if number >= len(archs):
        raise EnvironmentFault(f"There is no GPU {number} here.", "Use --device cpu.")
    return True


def wants_gpu_build(asked: str, version: str, archs: list[int]) -> bool:
    """Whether an environment for this device is to hold the GPU build of that Paddle.

    "auto" takes it where the package index's build has kernels for a GPU here. A GPU that was
    asked for and that the build has no kernels for is refused before anything is fetched.
    """
    if not exists(asked, archs):
        return False
    build = Build(version, cuda=True, archs=KNOWN_ARCHS.get(version, ()))
    if asked == "auto":
        return version in KNOWN_ARCHS and any(supports(build, arch) for arch in archs)
    return choose(asked, build, archs) != "cpu"


def choose(asked: str, build: Build, archs: list[int]) -> str:
    """The device to use: "cpu" or "gpu:N".

    "auto" takes the first GPU that the build can use, else the CPU. A GPU that was asked for and
    cannot be used raises EnvironmentFault with the reason.
    """
    if asked == "cpu" or not exists(asked, archs):
        return "cpu"
    if asked == "auto":
        usable = [n for n, arch in enumerate(archs) if build.cuda and supports(build, arch)]
        return f"gpu:{usable[0]}" if usable else "cpu"
    number = int(asked.partition(":")[2] or 0)
    if not build.cuda:
        raise EnvironmentFault(
            f"Paddle {build.version} is a CPU build.", "Install paddlepaddle-gpu: codemod env --gpu"
        )
    if not supports(build, archs[number]):
        have = ", ".join(f"sm_{arch}" for arch in build.archs)
        raise EnvironmentFault(
            f"Paddle {build.version} has kernels for {have}, and GPU {number} is "
            f"sm_{archs[number]}: no kernel would run on it.",
            "Use a newer build from Paddle's own index, or --device cpu.",
        )
    return f"gpu:{number}"


def of_processes(nproc: int, device: str) -> str:
    """The device of so many processes that train together: `2xcpu`."""
    return device if nproc == 1 else f"{nproc}x{device}"


def is_of_several(device: str | None) -> bool:
    """Whether the device is one of several processes."""
    return re.match(r"\d+x", device or "") is not None


def enough(nproc: int, device: str, archs: list[int]) -> None:
    """Refuse more processes than there are cards from `device` on; a CPU serves any number."""
    first = int(device.partition(":")[2] or 0)
    if device.startswith("gpu") and first + nproc > len(archs):
        raise EnvironmentFault(
            f"{nproc} processes need {nproc} GPUs, and there are {len(archs) - first}.",
            "Train them on the processor: --device cpu --backend gloo.",
        )
