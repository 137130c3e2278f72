"""Environments to train in: what one is to hold, and all that parity and probes of kits take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from codemod.base.grouping import grouped_once
from codemod.base.terminal.doing import note
from codemod.base.terminal.progress import LiveLine
from codemod.kits.catalogue import index_of
from codemod.training.environment import devices, env_cost
from codemod.training.environment.cards import cards
from codemod.training.environment.environments import EnvSpec, default_root, ensure, is_made
from codemod.training.recipes import known_kits, read_recipe


@dataclass(frozen=True, slots=True)
class EnvRequest:
    """The options that say what an environment is to hold."""

    paddle: str | None
    full: bool
    device: str
    image: bool
    index: str
    wheels: Path | None

    def spec(self, kit: str, config: str = "", launch: Path | None = None) -> EnvSpec:
        """What the environment of a kit's config holds."""
        recipe = read_recipe(kit, config, launch)
        more = recipe.more_requirements if self.full else ()
        version = self.paddle or recipe.paddle
        index = self.index or index_of(kit)
        cuda = None
        if not self.image and self.device != "cpu":
            here = cards()
            cuda = devices.cuda_build(self.device, version, here, index)
            if cuda is None and (why := devices.left_alone(version, here, index)):
                note(f"For the CPU: {why}")
        elif self.device.startswith("gpu"):
            cuda = devices.build_for_image(version, index)
        packages = (*recipe.requirements, *more)
        return EnvSpec(version, recipe.python, packages, cuda, str(self.wheels or ""), bool(index))

    def both(self, kit: str) -> Iterator[tuple[EnvSpec, str]]:
        """What `parity` and what `probe` takes of a kit; a probe runs on the CPU."""
        yield self.spec(kit), kit
        yield replace(self, full=True, device="cpu").spec(kit), kit


@dataclass(frozen=True, slots=True)
class MadeEnvironment:
    """The interpreter of an environment, the kits that take it, and whether it is new."""

    kits: list[str]
    python: str
    made_now: bool


def make(spec: EnvSpec) -> str:
    """The interpreter of an environment, which is made unless it exists."""
    with LiveLine("Looking for the environment"):
        return str(ensure(spec))


def make_all(wish: EnvRequest) -> list[MadeEnvironment]:
    """Make what is lacking; the whole of it is told, and the disk looked at, before the first."""
    kits = grouped_once(both for kit in known_kits() for both in wish.both(kit))
    lacking = [spec for spec in kits if not is_made(spec)]
    if lacking:
        env_cost.need_room(default_root(), lacking[0].cuda is not None, len(lacking))
    note(foretold(kits, lacking))
    made = []
    for number, (spec, users) in enumerate(kits.items(), 1):
        fresh = spec in lacking
        note(f"[{number}/{len(kits)}] {', '.join(users)}: {spec.key}{'' if fresh else ', made'}")
        made.append(MadeEnvironment(users, make(spec), fresh))
    return made


def foretold(kits: Mapping[EnvSpec, list[str]], lacking: list[EnvSpec]) -> str:
    """What making all environments will take, in a sentence."""
    users = {name for names in kits.values() for name in names}
    told = f"{len(kits)} environments for {len(users)} kits"
    if not lacking:
        return f"{told}, all made."
    cost = env_cost.estimate(default_root(), lacking[0].cuda is not None, len(lacking))
    return f"{told}, {len(lacking)} to be made: {cost}."
