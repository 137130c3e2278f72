"""The Paddles that the tool knows, from `paddles.yaml`: CUDA builds, images, what to pin."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from codemod.base.errors import did_you_mean
from codemod.base.files.data_folder import data_path
from codemod.base.files.yaml_file import read_yaml
from codemod.base.schema import read_record

# More than any part of a version.
_PARTS = 1000
_ADDRESS = re.compile(r"https?://[^\s/]+(/\S*)?\Z")


@dataclass(frozen=True, slots=True)
class CudaBuild:
    """One CUDA build of `paddlepaddle-gpu`; `index` is empty for the package index.

    `driver` is the least major version of NVIDIA's driver, `archs` are sm numbers ("86").
    """

    name: str
    cuda: str
    driver: int
    archs: tuple[str, ...]
    index: str = ""

    def runs_on(self, arch: int) -> bool:
        """Whether its machine code runs on sm number `arch`."""
        return has_kernels(tuple(int(have) for have in self.archs), arch)


@dataclass(frozen=True, slots=True)
class Release:
    """One version of Paddle; `builds` are names of its CUDA builds, the oldest CUDA first."""

    version: str
    image: str
    image_gpu: str
    builds: tuple[str, ...] = ()
    pins: tuple[str, ...] = ()
    measured: bool = False


@dataclass(frozen=True, slots=True)
class Paddles:
    """All of `paddles.yaml`."""

    builds: tuple[CudaBuild, ...]
    releases: tuple[Release, ...]

    def build(self, name: str) -> CudaBuild | None:
        """The CUDA build of that name."""
        return next((one for one in self.builds if one.name == name), None)


@cache
def paddles() -> Paddles:
    """The Paddles that the tool knows.

    Raises:
        UsageError: `paddles.yaml` cannot be read or breaks its schema; names file and line.
    """
    value = read_yaml(data_path("paddles.yaml"))
    found = read_record(Paddles, value)
    if not found.releases:
        raise value.fault("names no release", "Add a row to `releases`.")
    for release in found.releases:
        for name in release.builds:
            if found.build(name) is None:
                raise value.fault(f"has no build `{name}`, which {release.version} names")
    return found


def release(version: str) -> Release:
    """A version's row; a version without one is taken to be as the newest."""
    rows = paddles().releases
    return next((one for one in rows if one.version == version), rows[-1])


def measured() -> tuple[str, ...]:
    """The versions that survey and proofs have a column for, the oldest first."""
    return tuple(one.version for one in paddles().releases if one.measured)


def nearest(version: str, known: Iterable[str]) -> str:
    """The one of `known` that speaks for a version: the closest, so of its major one if there is.

    >>> nearest("2.5.1", ["2.6", "3.0.0", "3.3"]), nearest("4.0.0", ["2.6", "3.0.0", "3.3"])
    ('2.6', '3.3')
    """
    return min(known, key=lambda other: abs(rank(other) - rank(version)))


def major(version: str) -> int:
    """The first number of a version."""
    return rank(version) // _PARTS**2


def rank(version: str) -> int:
    """A number that grows with a version's first three parts.

    >>> rank("3.10.0") > rank("3.3.1")
    True
    """
    parts = (*(int(part) for part in re.findall(r"\d+", version)), 0, 0)
    return (parts[0] * _PARTS + parts[1]) * _PARTS + parts[2]


def has_kernels(archs: tuple[int, ...], arch: int) -> bool:
    """Whether machine code for `archs` runs on `arch`: the same generation, none newer."""
    return any(have // 10 == arch // 10 and have <= arch for have in archs)


def wrong_index(asked: str) -> str | None:
    """What to name instead of an index that is neither one of Paddle's builds nor an address.

    None for a good one.
    """
    names = [one.name for one in paddles().builds]
    if asked in names or _ADDRESS.match(asked):
        return None
    return did_you_mean(asked, names, f"Use an address, or one of {', '.join(names)}.")
