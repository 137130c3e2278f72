"""Which device a run uses, and which build of Paddle has kernels for it.

A build without kernels for a GPU's architecture fails late and oddly, so it is checked before
anything is fetched, and again once it is installed.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.launch.tools import ask
from codemod.base.terminal.doing import note
from codemod.kits.paddles import CudaBuild, has_kernels, paddles, release, wrong_index
from codemod.training.environment.cards import Card, Cards

_DEVICE = re.compile(r"(auto|cpu|gpu(:\d+)?)\Z")
# Less than this no kit's smallest run fits in, with CUDA's own context.
LEAST_MIB = 1500
ON_CPU = "Use --device cpu."

# What a build tells of itself: CUDA or not, its version, its own kernels' architectures, and
# what is installed beside it.
_ASK = """
import hashlib, importlib.metadata, json, paddle
packages = sorted({f"{d.metadata['Name']} {d.version}" for d in importlib.metadata.distributions()})
archs = []
try:
    archs = [int(a) for a in paddle.version.cuda_archs()] if paddle.is_compiled_with_cuda() else []
except Exception:
    pass
print("PADDLE " + json.dumps({"version": paddle.__version__, "cuda": paddle.is_compiled_with_cuda(),
    "archs": archs, "cinn": getattr(paddle, "is_compiled_with_cinn", lambda: False)(),
    "packages": hashlib.sha256(json.dumps(packages).encode()).hexdigest()[:16]}))
"""


@dataclass(frozen=True, slots=True)
class Build:
    """An installed Paddle: version, whether it is a CUDA build, its architectures as sm numbers.

    `packages` is a digest of the names and versions of all that is installed beside it, `cinn`
    whether it has that compiler.
    """

    version: str
    cuda: bool
    archs: tuple[int, ...]
    packages: str = ""
    cinn: bool = False


@cache
def read_build(python: Path) -> Build:
    """Ask an environment's Paddle what it is. Raises EnvironmentFault where there is none."""
    # It stands elsewhere: a `paddle.py` in the current folder, which is anybody's, would be run.
    done = ask([str(python.absolute()), "-c", _ASK], cwd="/")
    lines = [line for line in done.text.splitlines() if line.startswith("PADDLE ")]
    if done.code != 0 or not lines:
        why = (done.complaint.strip().splitlines() or ["no answer"])[-1]
        raise EnvironmentFault(
            f"Paddle cannot be imported by {python} ({why}).",
            "Make an environment with: codemod env KIT",
        )
    fields = json.loads(lines[-1][len("PADDLE ") :])
    found = Build(fields["version"], fields["cuda"], (), fields["packages"], fields["cinn"])
    if not found.cuda:
        return found
    known = next((one.archs for one in _builds(found.version) if not one.index), ())
    archs = tuple(fields["archs"]) or tuple(int(arch) for arch in known)
    return replace(found, archs=archs)


def supports(build: Build, card: Card) -> bool:
    """Whether the build's machine code runs on the card.

    What one of them does not tell is taken to fit.
    """
    if not build.archs or card.arch is None:
        return build.cuda
    return has_kernels(build.archs, card.arch)


def known_device(asked: str) -> None:
    """Refuse a device that nobody knows; needs neither Paddle nor a card, so it comes first.

    Raises:
        UsageError: it is none of auto, cpu, gpu, gpu:N.
    """
    if not _DEVICE.match(asked):
        raise UsageError(f"There is no device {asked!r}.", "Use auto, cpu, gpu or gpu:N.")


def known_index(asked: str) -> None:
    """Refuse an index that is neither one of Paddle's builds nor an address.

    Raises:
        UsageError: names the builds.
    """
    if asked and (rather := wrong_index(asked)):
        raise UsageError(f"`{asked}` is no index of Paddle.", rather)


def wanted_card(asked: str, here: Cards) -> Card | None:
    """The card that `gpu` or `gpu:N` names, counted as CUDA counts them; None for others.

    Raises:
        UsageError: a device that nobody knows.
        EnvironmentFault: there is no such card, or others fill it.
    """
    known_device(asked)
    if not asked.startswith("gpu"):
        return None
    number = int(asked.partition(":")[2] or 0)
    if number >= len(here.cards):
        why = here.why or f"{len(here.cards)} can be used, counted from 0"
        raise EnvironmentFault(f"There is no GPU {number} here: {why}.", ON_CPU)
    card = here.cards[number]
    if _full(card):
        raise EnvironmentFault(
            f"{card} has {card.free} MiB free of {card.total}: others use it.",
            f"Wait for them, use another card, or {ON_CPU[0].lower()}{ON_CPU[1:]}",
        )
    return card


def _full(card: Card) -> bool:
    return card.free is not None and card.free < LEAST_MIB


def _tell(number: int, card: Card) -> None:
    """Say which card is used, and what the user should know of it."""
    told = [f"Training on GPU {number}: {card}."]
    if card.mig and not card.id.startswith("MIG-"):
        told.append(
            "It is cut into slices (MIG), and CUDA takes its first one: "
            "CUDA_VISIBLE_DEVICES=MIG-... names another (nvidia-smi -L)."
        )
    elif card.used is not None and card.total and card.used > card.total // 10:
        told.append(f"Others use {card.used} of its {card.total} MiB, so times say little.")
    note(" ".join(told))


def left_alone(version: str, here: Cards, index: str = "") -> str:
    """Why `auto` takes the CPU build of a Paddle although there is a card, and what would use it.

    "" where there is no card.

    Raises:
        UsageError, EnvironmentFault: as `cuda_build`, of an index.
    """
    if not here.cards:
        return ""
    card = here.cards[0]
    if _full(card):
        return f"{card} has {card.free} MiB free of {card.total}."
    if card.arch is None:
        return f"{card} does not tell its compute capability. --device gpu uses it all the same."
    offered = _offered(version, index)
    against = "; ".join(filter(None, (_against(one, card) for one in offered)))
    if not against:
        return f"this Paddle {version} is a CPU build. `codemod env --gpu` makes another."
    return f"no build of Paddle {version} runs on {card}: {against}. {_rather(card)}"


def cuda_build(asked: str, version: str, here: Cards, index: str = "") -> CudaBuild | None:
    """The CUDA build to install for a device; None for the CPU build.

    `index` is a build's name, or the address of an index, whose builds nobody here knows. "auto"
    takes a card that some build of this Paddle runs on, if there is one.

    Raises:
        UsageError, EnvironmentFault: as `wanted_card`; or no build of this Paddle runs on the
            card, with the reason for each and what would run; or the index has no such Paddle.
    """
    card = wanted_card(asked, here)
    offered = _offered(version, index)
    if card is None:
        usable = (
            [one for one in here.cards if one.arch and not _full(one)] if asked == "auto" else []
        )
        fitting = (build for one in usable for build in _fitting(offered, one))
        return next(fitting, None)
    if fits := _fitting(offered, card):
        return fits[0]
    reasons = "; ".join(_against(build, card) for build in offered) or "it has no CUDA build"
    raise EnvironmentFault(
        f"No build of Paddle {version} runs on {card}: {reasons}.", _rather(card)
    )


def build_for_image(version: str, index: str = "") -> CudaBuild:
    """The CUDA build that an image for a machine elsewhere holds: the newest, or that of `index`.

    Raises:
        UsageError: there is no such index, or no CUDA build of that Paddle.
        EnvironmentFault: the index that is named has no such Paddle.
    """
    offered = _offered(version, index)
    if not offered:
        raise UsageError(f"Paddle {version} has no CUDA build.", "Leave --gpu out.")
    return offered[0]


def _builds(version: str) -> list[CudaBuild]:
    known = paddles()
    return [one for name in release(version).builds if (one := known.build(name))]


def _offered(version: str, index: str) -> list[CudaBuild]:
    """The builds to choose from, the newest CUDA first.

    Raises:
        UsageError: there is no such index.
        EnvironmentFault: Paddle has no such build of a release that is known.
    """
    built = _builds(version)[::-1]
    if not index:
        return built
    known_index(index)
    listed = version in {row.version for row in paddles().releases}
    if listed and paddles().build(index) and index not in (names := [one.name for one in built]):
        raise EnvironmentFault(
            f"Paddle {version} has no CUDA build on {index}.", f"Use --index {' or '.join(names)}."
        )
    return [paddles().build(index) or CudaBuild(index, "", 0, (), index)]


def _fitting(offered: list[CudaBuild], card: Card) -> list[CudaBuild]:
    return [build for build in offered if not _against(build, card)]


def _against(build: CudaBuild, card: Card) -> str:
    """Why a build does not run on a card, or nothing."""
    driver = card.driver.partition(".")[0]
    if driver.isdigit() and int(driver) < build.driver:
        return f"the build for CUDA {build.cuda} needs driver {build.driver}, not {card.driver}"
    if build.archs and card.arch is not None and not build.runs_on(card.arch):
        have = ", ".join(f"sm_{arch}" for arch in build.archs)
        return (
            f"the build for CUDA {build.cuda} has kernels for {have}, and the card is "
            f"sm_{card.arch}"
        )
    return ""


def _rather(card: Card) -> str:
    """What would run on the card: a newer Paddle if there is one, else the CPU."""
    for row in reversed(paddles().releases):
        if fits := _fitting(_offered(row.version, ""), card):
            return f"Use --paddle {row.version}, which has {fits[0].name}, or --device cpu."
    return ON_CPU


def choose(asked: str, build: Build, here: Cards, index: str = "") -> str:
    """The device to use: "cpu" or "gpu:N". `index` is what its CUDA build was looked for on.

    "auto" takes the first GPU that the build can use, else the CPU. A GPU that was asked for and
    cannot be used raises EnvironmentFault with the reason.
    """
    card = wanted_card(asked, here)
    if card is None:
        usable = [
            number
            for number, one in enumerate(here.cards)
            if asked == "auto" and build.cuda and supports(build, one) and not _full(one)
        ]
        if usable:
            _tell(usable[0], here.cards[usable[0]])
            return f"gpu:{usable[0]}"
        if asked == "auto" and (why := left_alone(build.version, here, index)):
            note(f"Training on the CPU: {why}")
        return "cpu"
    if not build.cuda:
        raise EnvironmentFault(
            f"Paddle {build.version} is a CPU build.", "Install paddlepaddle-gpu: codemod env --gpu"
        )
    if not supports(build, card):
        have = ", ".join(f"sm_{arch}" for arch in build.archs)
        raise EnvironmentFault(
            f"Paddle {build.version} has kernels for {have}, and {card} is sm_{card.arch}: "
            "no kernel would run on it.",
            _rather(card),
        )
    number = int(asked.partition(":")[2] or 0)
    _tell(number, card)
    return f"gpu:{number}"


def of_processes(ranks: int, device: str) -> str:
    """The device of so many processes that train together: `2xcpu`."""
    return device if ranks == 1 else f"{ranks}x{device}"


def processes_on(device: str | None) -> tuple[int, str]:
    """How many processes train on a device, and the one of each: (2, "cpu") of `2xcpu`."""
    several = re.fullmatch(r"(\d+)x(.+)", device or "")
    return (int(several[1]), several[2]) if several else (1, device or "")


def is_of_several(device: str | None) -> bool:
    """Whether the device is one of several processes."""
    return processes_on(device)[0] > 1


def enough(ranks: int, device: str, here: Cards) -> None:
    """Refuse more processes than there are cards from `device` on; a CPU serves any number.

    Raises:
        EnvironmentFault: there are fewer cards.
    """
    first = int(device.partition(":")[2] or 0)
    if device.startswith("gpu") and first + ranks > len(here.cards):
        raise EnvironmentFault(
            f"{ranks} processes need {ranks} GPUs, and there are {len(here.cards) - first}.",
            "Train them on the processor: --device cpu --backend gloo.",
        )
