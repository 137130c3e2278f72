"""From what the user asked for to all that is known before a kit's training is run."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from codemod.base.changeset import Source
from codemod.base.errors import EnvironmentFault, UsageError
from codemod.base.files.workspace import Workspace
from codemod.base.terminal.doing import doing
from codemod.code.tree import Tree
from codemod.kits.catalogue import index_of
from codemod.kits.config_files import no_config
from codemod.training.environment import devices
from codemod.training.environment.cards import Cards, cards
from codemod.training.environment.environments import EnvSpec, ensure
from codemod.training.launch import Setting, hook_checksum, slug
from codemod.training.recipes import Recipe, read_recipe, run_text
from codemod.training.run_spec import RunSpec
from codemod.training.runner import CINN
from codemod.training.samples import made_by


@dataclass(frozen=True, slots=True)
class Prepared:
    """All that is known before anything runs; `folder` is where records are kept.

    `identity.device` also says how many processes train together: `2xcpu`.
    """

    spec: RunSpec
    source: Source
    recipe: Recipe
    python: Path
    build: devices.Build
    device: str
    identity: Identity
    folder: Path

    @property
    def backend(self) -> str:
        """What carries the exchange of several processes; "" for one."""
        usual = "nccl" if self.device.startswith("gpu") else "gloo"
        return (self.spec.backend or usual) if self.spec.ranks > 1 else ""

    @property
    def limit_s(self) -> float:
        """Seconds that one training may take: what was asked for, else the recipe's."""
        return self.spec.limit_s or float(self.recipe.limit_s)

    def setting(self, steps: int, folder: Path | None = None, root: Path | None = None) -> Setting:
        """Where a training of so many steps takes place: `root` is the tree, if it is a copy's."""
        return Setting(
            root=(root or self.source.root).resolve(),
            folder=(folder or self.folder).resolve(),
            python=self.python.absolute(),
            device=self.device,
            steps=steps,
            spec=self.spec,
            kit=self.identity.kit,
        )


def checked(spec: RunSpec, source: Source) -> Recipe:
    """The recipe of a run, once its device, index, config and options are known to be right.

    Nothing is fetched or made for this.

    Raises:
        UsageError: one of them is wrong; says what is near.
    """
    devices.known_device(spec.device)
    devices.known_index(spec.index)
    kit = source.name
    recipe = read_recipe(kit, spec.config, spec.launch)
    if not any((source.root / folder / spec.config).exists() for folder in (recipe.cwd, ".")):
        raise no_config(kit, Tree(source.root), spec.config)
    wrong = next((pair for pair in spec.options if "=" not in pair.strip("=")), None)
    if wrong is not None and recipe.style != "bare":
        raise UsageError(f"`{wrong}` is no option of the kit.", "Write it as KEY=VALUE.")
    return recipe


def prepare(spec: RunSpec, source: Source, workspace: Workspace) -> Prepared:
    """All that a run needs: what was asked for is checked, the environment is made.

    Raises:
        UsageError: the config, the device, the index or an option is wrong.
        EnvironmentFault: CINN was asked for and this Paddle is built without it.
    """
    recipe = checked(spec, source)
    kit = source.name
    here = Cards() if spec.device == "cpu" else cards()
    version = spec.paddle or recipe.paddle
    index = spec.index or index_of(kit)
    python = spec.python or ensure(
        EnvSpec(
            version,
            recipe.python,
            recipe.requirements,
            devices.cuda_build(spec.device, version, here, index),
            str(spec.wheels or ""),
        )
    )
    doing("Asking Paddle for its version and devices")
    build = devices.read_build(python)
    if CINN in spec.modes and not build.cinn:
        raise EnvironmentFault(
            f"This Paddle {build.version} is built without CINN.", "Leave cinn out of --modes."
        )
    device = devices.choose(spec.device, build, here, index)
    devices.enough(spec.ranks, device, here)
    identity = Identity(
        kit=kit,
        revision=source.revision,
        config=spec.config,
        device=devices.of_processes(spec.ranks, device),
        paddle=build.version,
        hook=hook_checksum(source.root),
        options=_options(spec, recipe, kit),
        packages=build.packages,
    )
    folder = workspace.root / "runs" / kit / identity.name
    return Prepared(spec, source, recipe, python, build, device, identity, folder=folder)


def _options(spec: RunSpec, recipe: Recipe, kit: str) -> tuple[str, ...]:
    """All that was asked of a run, as its identity holds it."""
    return (
        *spec.options,
        f"steps={spec.steps}",
        f"seed={spec.seed}",
        *((f"backend={spec.backend}",) if spec.backend else ()),
        f"launch={run_text(recipe)}",
        *((f"samples={made_by(recipe.data, kit)}",) if recipe.data else ()),
    )


@dataclass(frozen=True, slots=True)
class Identity:
    """What a run is before it is made: a repeated one is skipped unless asked for.

    `options` holds the user's options, steps, seed, recipe and samples; `packages` is a digest of
    the environment's packages. Whether a kept result is of this tree, what it read decides.
    """

    kit: str
    revision: str | None
    config: str
    device: str
    paddle: str
    hook: str
    options: tuple[str, ...] = ()
    packages: str = ""

    @property
    def request(self) -> str:
        """A digest of all that was asked for, the tree apart."""
        return _digest([self.config, self.device, self.paddle, self.packages, self.options])

    @property
    def name(self) -> str:
        """The result's file name without ending: results of several trees stand side by side."""
        return f"{slug(self.config)}-{_digest([self.revision, self.hook, self.request])[:12]}"


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value).encode()).hexdigest()[:16]
